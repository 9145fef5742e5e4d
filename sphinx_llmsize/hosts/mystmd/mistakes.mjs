// --- positions of roles: mystmd states the position of a role's paragraph, or a wrong one. So the
// role's text is searched in the file, outside of code. Of several roles with this text, a mistake gets
// the first that no other mistake has; if possible, one at or after the stated line

const CODE = /^(anywidget|code|llm-|math|mermaid|raw|sourcecode)/; // directives without Markdown
const FENCE = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,}|:{3,})\s*(?:\{([\w:-]+)[^}]*\})?(.*)$/;
const ROLE_OR_CODE =
  /\\[^]|<!--[^]*?-->|^[ \t]*%.*|(?:\{\s*([\w:-]+)[^{}]*\})?(?<!`)(`+)(?!`)((?:(?!\n[ \t]*\n)[^])+?)(?<!`)\2(?!`)/gm;

// The text, with empty lines in place of fences of code, and without the marks of directives.
function withoutCode(text) {
  const open = []; // marks of the directives around a line
  let code; // mark of the code around it
  const lines = text.split("\n").map((line) => {
    const [, mark, directive, rest] = FENCE.exec(line) ?? [];
    const closes = (other) => mark?.startsWith(other) && !directive && !rest.trim();
    if (code) {
      if (closes(code)) code = undefined;
      return "";
    }
    if (!mark || (mark.startsWith("`") && rest.includes("`"))) return line; // text, or a code span
    if (open.length && closes(open.at(-1))) open.pop();
    else if (directive && !CODE.test(directive)) open.push(mark);
    else if (directive || !mark.startsWith(":")) code = mark;
    return code ? "" : line.replace(mark, " ".repeat(mark.length)); // the title of a directive
  });
  return lines.join("\n");
}

// A role's text as written or as mystmd passes it on, which differ in quotes and tables.
const plainRole = (text) => text.replace(/\s+[\s>]*/g, " ").replaceAll("\\|", "|").trim();

// Text, line and column of each of our roles.
function rolesIn(text) {
  const markdown = withoutCode(text);
  const roles = [];
  for (const { 1: name, 3: body, index } of markdown.matchAll(ROLE_OR_CODE)) {
    if (name !== declared.role.name) continue;
    const before = markdown.slice(0, index).split("\n");
    roles.push({ role: plainRole(body), line: before.length, column: before.at(-1).length + 1 });
  }
  return roles;
}

const byLine = (a, b) => a.position.start.line - b.position.start.line;

// Set the positions of mistakes in roles; the first line of the texts has the number `offset` + 1.
function setRolePositions(mistakes, texts, offset = 0) {
  const roles = texts.flatMap(rolesIn);
  const ofRoles = mistakes.filter(({ role }) => role !== undefined);
  for (const mistake of ofRoles.sort(byLine)) {
    const { start, end } = mistake.position;
    const equal = roles.filter(({ role }) => role === plainRole(mistake.role));
    const found = equal.find(({ line }) => line + offset >= start.line) ?? equal[0];
    const line = found ? found.line + offset : start.line;
    for (const each of [start, end]) Object.assign(each, { line, column: found?.column ?? 1 });
    if (!found) continue;
    roles.splice(roles.indexOf(found), 1);
    delete mistake.role; // its position is known
  }
}

// Texts with Markdown in a file: its own, or those of a notebook's cells.
function textsOf(path) {
  try {
    const text = readFileSync(path, "utf-8").replaceAll("\r\n", "\n");
    if (!path.endsWith(".ipynb")) return [text];
    return JSON.parse(text).cells.map(({ source }) => [source].flat().join(""));
  } catch {
    return [];
  }
}

// --- mistakes: reported after a page has been read, since --strict doesn't count earlier reports

// A node and its descendants.
function* all(node) {
  yield node;
  for (const child of node.children ?? []) yield* all(child);
}

function mistakesIn(nodes) {
  return [...all({ children: nodes })].map(({ data }) => data?.llmsize).filter(Boolean);
}

// Take the mistakes out of a tree; those below an `include` are in the included file.
function takeMistakes(node, file, mistakes) {
  const isIncluded = node.type === "include" && node.file;
  const folder = isIncluded && node.file.startsWith("/") ? process.cwd() : dirname(file);
  const path = isIncluded ? join(folder, node.file) : file;
  if (node.data?.llmsize) {
    mistakes.set(node.data.llmsize.id, { ...node.data.llmsize, file: path });
    delete node.data;
  }
  const children = node.children ?? [];
  for (const [index, child] of children.entries()) {
    if (children[index + 1]?.type === "inlineCode") takeUnreadRole(child, path, mistakes);
    takeMistakes(child, path, mistakes);
  }
}

// Add a mistake for a text that ends with the role in reStructuredText, or with a space after the role.
function takeUnreadRole({ value, position }, file, mistakes) {
  const { name } = declared.role;
  const markup = [`:${name}:`, `{${name}}`].find((each) => value?.trimEnd().endsWith(each));
  if (!markup) return;
  const message = `'${markup}' is not read as markup here (write {${name}}\`gpt2:total\`)`;
  const start = { line: position?.start.line ?? 1, column: 1 };
  const rule = "llmsize.syntax";
  const mistake = { id: ++mistakeCount, message, rule, file, position: { start, end: start } };
  mistakes.set(mistake.id, mistake);
}

// An export reads a page twice, each time with new ids; the tree has those of the last time.
const sameMistake = ({ message, role, position }) =>
  JSON.stringify([message, role, position.start.line]);

// Report the mistakes of a page, and of the files that it includes.
function report(tree, vfile) {
  const registered = mistakes.get(vfile.path) ?? []; // mystmd takes the title out of the page
  registered.areReported = true;
  const found = new Map();
  takeMistakes(tree, vfile.path, found);
  const known = new Set([...found.values()].map(sameMistake));
  for (const mistake of registered) {
    if (known.has(sameMistake(mistake))) continue;
    known.add(sameMistake(mistake));
    found.set(mistake.id, structuredClone(mistake));
  }
  const all = [...found.values()];
  for (const file of new Set([vfile.path, ...all.map((mistake) => mistake.file)])) {
    reportFile(
      all.filter((mistake) => mistake.file === file),
      vfile,
    );
  }
  if (all.length && process.argv.includes("--strict")) failBuild();
}

// Report the mistakes in a page or in a file that it includes, each once.
function reportFile(mistakes, vfile) {
  const file = mistakes[0]?.file;
  const texts = textsOf(file);
  setRolePositions(mistakes, texts);
  const lastLine = Math.max(1, ...texts.map((text) => text.split("\n").length));
  const shown = new Set();
  for (const { message, rule, position } of mistakes.sort(byLine)) {
    const line = Math.min(position.start.line, lastLine);
    const isHere = file === vfile.path;
    const text = isHere ? message : `${relative("", file)}:${line}: ${message}`;
    if (shown.has(`${line} ${message}`)) continue;
    shown.add(`${line} ${message}`);
    const start = { line, column: position.start.column };
    const reported = vfile.message(text, isHere ? { start, end: start } : undefined);
    Object.assign(reported, { fatal: true, ruleId: rule });
  }
}

// With --strict, mystmd itself fails only for sites, not for exports
let fails = false;

// Let the build end with an error.
function failBuild() {
  if (!fails) process.on("exit", () => (process.exitCode ||= 1));
  fails = true;
}
