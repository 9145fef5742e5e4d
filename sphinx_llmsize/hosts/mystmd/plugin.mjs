// Plugin of sphinx-llmsize for mystmd and Jupyter Book 2.
// Written by `llmsize mystmd-plugin`: write it again after an upgrade; don't edit it.
//
// `llmsize` generates all output. A second thread starts it once for a build, while mystmd starts.
// A directive must return its output at once, so the first thread waits for each answer.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker, receiveMessageOnPort, workerData } from "node:worker_threads";

const declared = "DECLARED";
const COMMAND = process.env.LLMSIZE_COMMAND || "llmsize";
const TIMEOUT = 120_000; // milliseconds
const isThread = workerData?.llmsize !== undefined;

// --- the second thread: runs the program, and returns its answers in the order of the requests

function answerFrom({ port, flag }) {
  const reply = (message) => {
    port.postMessage(message);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  const program = spawn(COMMAND, ["mystmd-plugin", "--answer"], {
    env: { ...process.env, PYTHONUTF8: "1" },
    windowsHide: true,
  });
  let errors = "";
  program.stderr.on("data", (data) => (errors = (errors + data).slice(-4000)));
  program.stdin.on("error", () => {}); // the program has ended, as is reported below
  program.on("error", (error) => reply({ failure: `${COMMAND} cannot run: ${error.message}` }));
  program.on("close", () => {
    const reason = errors.trim().split("\n").at(-1);
    reply({ failure: `${COMMAND} has ended: ${reason || "it printed no reason"}` });
  });
  createInterface({ input: program.stdout }).on("line", (line) => {
    const isAnswer = /^\{"(nodes|lines)":/.test(line);
    const failure = `${COMMAND} printed no answer but: ${line.slice(0, 200)}`;
    reply(isAnswer ? { answer: line } : { failure });
  });
  port.on("message", (request) => program.stdin.write(`${request}\n`));
}

if (isThread) answerFrom(workerData.llmsize);

// --- questions to the program

const answers = new Map(); // by request: pages are read again for each export
const thread = isThread ? undefined : startThread();
let failure;

function startThread() {
  const { port1, port2 } = new MessageChannel();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: { llmsize: { port: port2, flag } },
    transferList: [port2],
  });
  worker.unref(); // it doesn't prevent the end of the build
  return { port: port1, flag };
}

function answerTo(request) {
  Atomics.store(thread.flag, 0, 0);
  const early = receiveMessageOnPort(thread.port); // a failure: the program has ended already
  if (early) return early.message;
  thread.port.postMessage(request);
  Atomics.wait(thread.flag, 0, 0, TIMEOUT);
  return receiveMessageOnPort(thread.port)?.message ?? {};
}

function ask(question) {
  const request = JSON.stringify(question);
  if (answers.has(request)) return JSON.parse(answers.get(request));
  if (failure) return failed(question.role !== undefined);
  const { answer, failure: reason } = answerTo(request);
  if (answer === undefined) {
    failure = reason ?? `${COMMAND} did not answer`;
    return failed(question.role !== undefined);
  }
  // a file may change while a site is served
  const usesFile = [...question.earlier, question.call].some((call) => call?.options?.config);
  if (!usesFile) answers.set(request, answer);
  return JSON.parse(answer);
}

// Answer in place of the program's: the name of the role, and the reason why there is none.
function failed(isRole) {
  const hint =
    "activate the environment in which sphinx-llmsize is installed, or set LLMSIZE_COMMAND to " +
    "the path of llmsize; after an upgrade, run llmsize mystmd-plugin again";
  const message = `${failure} (${hint})`;
  const code = { type: "inlineCode", value: declared.role.name };
  const nodes = [isRole ? code : { type: "paragraph", children: [code] }];
  return { nodes, mistake: { message, rule: "llmsize.command", option: "", line: null } };
}

// --- pages: mystmd reads a page, or all cells of a notebook, without a pause

const pages = new Map(); // by path: calls that may have configured models
const mistakes = new Map(); // by path, until they are reported and the page is read again

function pageOf(path) {
  let page = pages.get(path);
  if (!page) {
    page = { calls: [] };
    pages.set(path, page);
    if (mistakes.get(path)?.areReported ?? true) mistakes.set(path, []);
    setImmediate(() => pages.delete(path));
  }
  return page;
}

// --- positions: the nodes of an answer have the line of the mistake. If mystmd has read a part of a
// page separately, it corrects their lines with those of its own nodes. For a role, mystmd states the
// first line of the paragraph, or a wrong line: mistakes.mjs finds the line by the role's text

let mistakeCount = 0;

// Nodes of an answer; with a mistake, the first node has it as data, and its position.
function withMistake(answer, file, node, line, role) {
  if (!answer.mistake) return answer.nodes;
  const { message, rule } = answer.mistake;
  const start = { line, column: node.position?.start.column ?? 1 };
  const position = { start, end: { ...start } };
  const mistake = { id: ++mistakeCount, message, rule, file, position, role };
  mistakes.get(file)?.push(mistake);
  const [first, ...others] = answer.nodes; // one, as the position of each is moved
  return [{ ...first, position, data: { llmsize: mistake } }, ...others];
}

// Line of the page for a mistake at an option, or at a 0-based line of the body.
function lineOf({ option, line }, node, path) {
  const first = node.position?.start.line ?? 1;
  const child = (type, name) =>
    node.children?.find((each) => each.type === type && (!name || each.name === name));
  if (option) {
    const found = child("mystOption", option);
    if (found?.location === "yaml") return yamlLine(option, node.name, first, path);
    return found?.position?.start.line ?? first;
  }
  if (line === null) return first;
  return (child("mystDirectiveBody")?.position?.start.line ?? first + 1) + line;
}

// Options between lines of --- all have the position of the directive. Each is indented, or quoted
// with >, like the first of them; a line of another option's value, after "caption: |", is not.
function yamlLine(option, directive, first, path) {
  const [opening, , ...lines] = readFileSync(path, "utf-8").split("\n").slice(first - 1);
  const before = /^[\s>]*/.exec(lines[0])[0];
  const name = new RegExp(`^(["']?)${option}\\1\\s*:`);
  const index = lines.findIndex(
    (line) => line.startsWith(before) && name.test(line.slice(before.length)),
  );
  // in a template, the line is not one of the file
  return index < 0 || !opening?.includes(directive) ? first : first + 2 + index;
}

// --- directives and the role

// Text of an option; empty for one without a value.
function optionText({ value, location }) {
  if (value === null || (value === true && location !== "yaml")) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function runDirective(data, vfile, context) {
  const { node } = data;
  const page = pageOf(vfile.path);
  const options = (node.children ?? []).filter((each) => each.type === "mystOption");
  const call = {
    directive: data.name,
    argument: data.arg ?? "",
    options: Object.fromEntries(options.map((each) => [each.name, optionText(each)])),
    body: data.body ?? "",
  };
  const answer = ask({ folder: dirname(vfile.path), earlier: page.calls, call, isWithin });
  if (call.body || call.options.config) page.calls = [...page.calls, call];
  if (answer.lines) return parsed(answer, node, context);
  return withMistake(answer, vfile.path, node, lineOf(answer.mistake ?? {}, node, vfile.path));
}

function runRole(data, vfile) {
  const { node } = data;
  const earlier = pageOf(vfile.path).calls;
  const answer = ask({ folder: dirname(vfile.path), earlier, role: data.body ?? "" });
  return withMistake(answer, vfile.path, node, node.position?.start.line ?? 1, data.body ?? "");
}

let isWithin = false; // true while the output of a template is parsed

// Nodes of a template's output, each at the line of the page that it was generated from.
function parsed({ lines, origins }, node, context) {
  const start = node.position?.start.line ?? 1;
  const body = node.children.find((each) => each.type === "mystDirectiveBody");
  const first = body?.position?.start.line ?? start;
  const children = [];
  isWithin = true;
  try {
    children.push(...context.parseMyst(lines.join("\n")).children);
  } finally {
    isWithin = false;
  }
  setRolePositions(mistakesIn(children), [lines.join("\n")], start);
  const moved = (line) => first + (origins[line - start - 1] ?? 0);
  for (const { position } of all({ children })) {
    if (!position) continue;
    position.start = { line: moved(position.start.line), column: 1 };
    position.end = { line: moved(position.end.line), column: 1 };
  }
  return children;
}

const directives = declared.directives.map(({ name, doc, options }) => ({
  name,
  doc,
  arg: { type: String, doc: "Name of a model, or names with commas between." },
  options: Object.fromEntries(
    Object.entries(options).map(([option, doc]) => [option, { type: String, doc }]),
  ),
  body: { type: String, doc: "Configuration, names of models one a line, or text." },
  run: runDirective,
}));

const roles = [{ ...declared.role, body: { type: String, required: true }, run: runRole }];

const transforms = [
  { name: "llmsize-mistakes", doc: "Reports mistakes.", stage: "document", plugin: () => report },
];

export default { name: `sphinx-llmsize ${declared.version}`, directives, roles, transforms };
