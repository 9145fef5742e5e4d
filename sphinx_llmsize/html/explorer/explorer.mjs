// Interactive models: recomputes the texts of a page from expressions that Python has exported.
// A number is a BigInt, or a fraction [top, bottom] whose bottom is positive.

const top = (x) => (typeof x === "bigint" ? x : x[0]);
const bottom = (x) => (typeof x === "bigint" ? 1n : x[1]);
/** True if both are BigInts; a fraction such as [4n, 2n] is none. */
const areWhole = (a, b) => typeof a === "bigint" && typeof b === "bigint";
/** A fraction with a positive bottom; undefined if the bottom is zero. */
const fraction = (t, b) => {
  if (!b) return undefined;
  return b < 0n ? [-t, -b] : [t, b];
};
const magnitude = (n) => (n < 0n ? -n : n);
const gcd = (a, b) => (b ? gcd(b, a % b) : magnitude(a));

/** Quotient of whole numbers, rounded down. */
const down = (a, b) => {
  const q = a / b;
  return a % b && a < 0n !== b < 0n ? q - 1n : q;
};
/** Quotient of whole numbers, rounded to the nearest, halves away from zero. */
const nearest = (a, b) => {
  const q = (2n * magnitude(a) + b) / (2n * b);
  return a < 0n ? -q : q;
};
const add = (a, b) =>
  areWhole(a, b) ? a + b : fraction(top(a) * bottom(b) + top(b) * bottom(a), bottom(a) * bottom(b));
const times = (a, b) => (areWhole(a, b) ? a * b : fraction(top(a) * top(b), bottom(a) * bottom(b)));
const over = (a, b) => fraction(top(a) * bottom(b), bottom(a) * top(b));
const minus = (a, b) => add(a, times(-1n, b));
/** Negative, zero or positive, like a − b. */
const compare = (a, b) => top(a) * bottom(b) - top(b) * bottom(a);
const isAtLeast = (a, b) => compare(a, b) >= 0n;
const absolute = (x) => (top(x) < 0n ? times(-1n, x) : x);
/** Quotient rounded down; undefined after a division by zero. */
const floored = (a, b) => (top(b) ? down(top(a) * bottom(b), bottom(a) * top(b)) : undefined);

/** Exponent of the first significant digit: 3 for 4096. */
const exponent = (x) => {
  let e = 0;
  for (let n = absolute(x); isAtLeast(n, 10n); n = over(n, 10n)) e += 1;
  for (let n = absolute(x); !isAtLeast(n, 1n); n = times(n, 10n)) e -= 1;
  return e;
};
/** A number times 10 to the power of e. */
const scaled = (x, e) => (e < 0 ? over(x, 10n ** BigInt(-e)) : times(x, 10n ** BigInt(e)));
/** A number rounded to six significant digits. */
const sixDigits = (x) => {
  if (!top(x)) return x;
  const e = 5 - exponent(x);
  const n = scaled(x, e);
  return scaled(nearest(top(n), bottom(n)), -e);
};

const OPERATORS = {
  "+": add,
  "-": minus,
  "*": times,
  "/": over,
  "//": floored,
  "%": (a, b) => {
    const q = floored(a, b);
    return q === undefined ? q : minus(a, times(b, q));
  },
  "^": (a, b) => (areWhole(a, b) ? a ** b : fraction(a[0] ** b, a[1] ** b)),
  min: (a, b) => (isAtLeast(b, a) ? a : b),
  ceil: (a) => -down(-top(a), bottom(a)),
  round: (a) => nearest(top(a), bottom(a)),
  six: sixDigits,
  digits: (a) => BigInt(String(a).length),
  top: (a) => top(a) / gcd(top(a), bottom(a)),
  bottom: (a) => bottom(a) / gcd(top(a), bottom(a)),
  at: (a, first, ...values) => values[a - first],
};

/** A function that computes each of `count` values only once, and only if it is needed. */
function once(count, compute) {
  const values = new Array(count);
  const isComputed = new Uint8Array(count);
  return (position) => {
    if (!isComputed[position]) {
      values[position] = compute(position);
      isComputed[position] = 1;
    }
    return values[position];
  };
}

/** Function from an expression's position to its value; undefined after a division by zero. */
function evaluator(nodes, variables) {
  const valueOf = once(nodes.length, (position) => {
    const node = nodes[position];
    if (typeof node === "string") return variables[node] ?? BigInt(node);
    const operands = [];
    for (let k = 1; k < node.length; k += 1) {
      const operand = valueOf(node[k]);
      if (operand === undefined) return undefined;
      operands.push(operand);
    }
    return OPERATORS[node[0]](...operands);
  });
  return valueOf;
}

// Formats: those in FORMATS have the names of functions in Python, and give the same texts

/** SI prefixes of powers of 1000. */
const PREFIXES = "kMGTPE";
const power = (base, n) => BigInt(base) ** BigInt(n);
/** A number with decimal places, in English: rounded to the nearest, halves away from zero. */
const english = (x, places, grouped) => {
  const n = nearest(top(x) * 10n ** BigInt(places), bottom(x));
  const digits = String(magnitude(n)).padStart(places + 1, "0");
  const cut = digits.length - places;
  const before = digits.slice(0, cut);
  const shown = grouped ? before.replace(/\B(?=(\d{3})+$)/g, ",") : before;
  return (n < 0n ? "-" : "") + shown + (places ? `.${digits.slice(cut)}` : "");
};
/** Decimal places for three significant digits, but at most 2 for numbers of 0.1 or more. */
const placesOf = (x) => {
  const n = absolute(x);
  if (top(n) && !isAtLeast(n, [1n, 10n])) return 2 - exponent(n);
  if (isAtLeast(n, [9995n, 100n])) return 0;
  return isAtLeast(n, [9995n, 1000n]) ? 1 : 2;
};
/** A number without zeros at the end of its decimal places. */
const trimmed = (x, places) => {
  const text = english(x, places, true);
  return places ? text.replace(/\.?0+$/, "") : text;
};
const significant = (x) =>
  top(x) && !isAtLeast(absolute(x), [1n, 1000000n])
    ? `${top(x) < 0n ? "-" : ""}<0.000001`
    : trimmed(x, placesOf(x));
const threeDigits = (x) => {
  const text = significant(x);
  return text === "0" || text.includes("<") ? text : english(x, placesOf(x), true);
};
const aligned = (numbers, k) => {
  const largest = numbers.reduce((a, b) => (isAtLeast(a, b) ? a : b), 0n);
  const tiny = numbers.some((n) => top(n) > 0n && !isAtLeast(n, [1n, 10n]));
  const most = isAtLeast(largest, 1000n) ? 1 : 2 + (tiny && !isAtLeast(largest, 10n));
  const places = Math.min(most, Math.max(0, ...numbers.filter(top).map(placesOf)));
  const step = [1n, 10n ** BigInt(places)];
  const tooSmall = top(numbers[k]) > 0n && !isAtLeast(numbers[k], over(step, 2n));
  return tooSmall ? `<${english(step, places)}` : english(numbers[k], places, true);
};
const percent = (x) => {
  if (top(x) > 0n && !isAtLeast(x, [1n, 2000n])) return "<0.1%";
  if (isAtLeast(x, [1999n, 2000n]) && !isAtLeast(x, 1n)) return ">99.9%";
  return `${english(times(x, 100n), 1)}%`;
};
/** Power of the largest unit of which there is at least one. */
const unitOf = (x, base, most) => {
  let n = most;
  while (n && !isAtLeast(x, power(base, n))) n -= 1;
  return n;
};
/** Power of the largest unit that suits all numbers of a column; at least kilobytes. */
const columnUnit = (numbers) =>
  [3, 2, 1].find(
    (n) =>
      numbers.some((x) => isAtLeast(x, power(1000, n))) &&
      numbers.every((x) => !top(x) || isAtLeast(x, over(power(1000, n), 100n))),
  ) ?? 1;
const unitName = (n, base) => `${base === 1024 ? `${"KMGT"[n - 1]}i` : PREFIXES[n - 1]}B`;
const decimal = (x) => {
  const n = sixDigits(x);
  const e = top(n) ? exponent(n) : 0;
  const shortened = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (e >= -4 && e < 6) return shortened(english(n, 5 - e));
  const digits = shortened(english(scaled(n, -e), 5));
  return `${digits}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
};
const sizeIn = (x, base) => {
  const n = unitOf(x, base, 4);
  return [over(x, power(base, n)), unitName(n, base)];
};
const FORMATS = {
  plain: ([x]) => String(x),
  thousands: ([x]) => english(x, 0, true),
  decimals: ([x]) => english(x, 6),
  significant: ([x]) => significant(x),
  three_digits: ([x]) => threeDigits(x),
  short_or_exact: ([x]) => FORMATS[isAtLeast(absolute(x), 10000n) ? "short" : "thousands"]([x]),
  short: ([x]) => {
    for (let n = 4; n; n -= 1)
      if (isAtLeast(absolute(x), times(power(1000, n - 1), [1999n, 2n]))) {
        const y = over(x, power(1000, n));
        return english(y, placesOf(y)) + "KMBT"[n - 1];
      }
    return typeof x === "bigint" ? String(x) : significant(x);
  },
  aligned: (numbers, k) => aligned(numbers, k),
  percent: ([x]) => percent(x),
  error_text: ([x]) => {
    const text = percent(absolute(x));
    return text[0] === "<" || !top(x) ? text : (top(x) < 0n ? "−" : "+") + text;
  },
  flops_text: ([x]) => {
    const n = unitOf(times(x, [2000n, 1999n]), 1000, 6);
    return n ? `${threeDigits(over(x, power(1000, n)))} ${PREFIXES[n - 1]}FLOPs` : `${significant(x)} FLOPs`;
  },
  decimal: ([x]) => decimal(x),
  trimmed: ([x], places) => trimmed(x, places),
  _size_text: ([x], base) => {
    const [number, unit] = sizeIn(x, base);
    return `${threeDigits(number)} ${unit}`;
  },
  size_sign: ([x], base) => {
    const [number] = sizeIn(x, base);
    const [before, after = ""] = threeDigits(number).replaceAll(",", "").split(".");
    const shown = fraction(BigInt(before + after), 10n ** BigInt(after.length));
    return compare(shown, number) ? "≈" : "=";
  },
  _letter_of_unit: (numbers) => PREFIXES[columnUnit(numbers) - 1],
  _in_unit: (numbers, k, unit, textAt) => {
    let bytes = BigInt(Number(unit) || 0);
    if (!bytes) bytes = power(1000, PREFIXES.indexOf(textAt(unit.codePointAt(0) - 0xf0000)) + 1);
    return aligned(numbers.map((x) => over(x, bytes)), k);
  },
};

/** Formats whose texts keep their commas and full stops in every language. */
const UNLOCALIZED = new Set(["name", "title", "size_sign", "decimals"]);

/** Groups of digits as pairs: `6,738,415` → `6,73,84,15`. */
const inPairs = (groups) => groups.replaceAll(",", "").replace(/\B(?=(\d\d)+$)/g, ",");

/** Function from a position in `data.texts` to the text, with the separators of the language.
 *
 * `title` is a function that writes the title of a changed model; undefined if it isn't changed. */
function writer(data, valueOf, title) {
  const [group, decimal, hasPairs] = data.separators;
  const signs = { ",": group, ".": decimal };
  const textAt = once(data.texts.length, (position) => {
    const [form, positions, ...others] = data.texts[position];
    if (form === "name") return title ? data.changed : data.name;
    if (form === "title") return title ? title(textAt) : data.title;
    const numbers = positions.map(valueOf);
    if (numbers.includes(undefined)) return "";
    const text = FORMATS[form](numbers, ...others, textAt);
    if (UNLOCALIZED.has(form)) return text;
    const grouped = hasPairs ? text.replace(/\d[\d,]*(?=,\d{3})/g, inPairs) : text;
    return grouped.replace(/[.,]/g, (sign) => signs[sign]);
  });
  return textAt;
}

/** A text with values in place of `{key}`. */
const fill = (template, values) => template.replace(/\{(\w+)\}/g, (text, key) => values[key] ?? text);
/** `a, b and c`, in the language of the page. */
const listed = (all, words) =>
  all.reduce((items, item, k) =>
    fill(k === all.length - 1 ? words.and : words.next, { items, next: item, last: item }),
  );

/** Decoded part of an address; empty if it is invalid. */
const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
};

/** A mark, which has the position of a number in the list of texts, with the number after it. */
const MARK = /([\u{f0000}-\u{ffffd}])[^\u{100000}]*\u{100000}/gu;
const filled = (template, textAt) =>
  template.replace(MARK, (_, mark) => textAt(mark.codePointAt(0) - 0xf0000));
/** TeX of a number. */
const inTex = (text) => text.replace(/(\d),(?=\d)/g, "$1{,}").replaceAll("\u202f", "\\,");

/** Width that a text of a drawing may have in its box, or in the drawing if it is in none. */
function roomOf(text) {
  const box = text.parentNode.querySelector(":scope > rect:last-of-type");
  const [left, width] = box
    ? [box.x.baseVal.value, box.width.baseVal.value]
    : [0, text.ownerSVGElement.viewBox.baseVal.width];
  const before = text.x.baseVal[0].value - left;
  const after = width - before;
  const anchor = text.getAttribute("text-anchor");
  const margin = 8;
  if (anchor === "middle") return 2 * Math.min(before, after) - margin;
  return (anchor === "end" ? before : after) - margin;
}

/** One view: the elements of its variants, and which of them is shown. */
class View {
  constructor(element, variants, unknown) {
    this.element = element;
    this.variants = variants;
    // in place of a view that can't follow the sizes
    this.note = createElement("p", { class: "llmsize-problem", hidden: "" }, unknown);
    element.before(this.note);
    this.shown = 0;
    this.contents = [];
    this.templates = [...element.querySelectorAll(":scope > template")];
    for (const template of this.templates) template.remove();
    this.read();
  }

  /** Finds the texts and attributes that contain numbers, once for each variant. */
  read() {
    const all = (name) => [...this.element.querySelectorAll(`[data-llmsize-${name}]`)];
    const attributes = ["title", "style", "aria-label"].flatMap((name) =>
      all(name).map((node) => [node, name, node.getAttribute(`data-llmsize-${name}`)]),
    );
    const texts = all("text").map((node) => [node, node.getAttribute("data-llmsize-text")]);
    const formulas = all("tex").map((node) => [node, node.getAttribute("data-llmsize-tex")]);
    const numbers = all("number").map((node) => [node, Number(node.dataset.llmsizeNumber)]);
    const drawn = new Set(numbers.map(([node]) => node.closest("text")).filter(Boolean));
    const lengths = [...drawn].map((text) => [text, text.textContent.length]);
    this.contents[this.shown] = {
      nodes: [...this.element.childNodes], attributes, texts, formulas, numbers, lengths,
    };
  }

  /** Shows a variant, given by its position. */
  show(variant) {
    if (variant === this.shown) return;
    this.shown = variant;
    if (this.contents[variant]) this.element.replaceChildren(...this.contents[variant].nodes);
    else {
      this.element.replaceChildren(this.templates[variant - 1].content.cloneNode(true));
      this.read();
    }
  }

  /** Writes the numbers of the variant that is shown. */
  write(textAt) {
    const { attributes, texts, formulas, numbers } = this.contents[this.shown];
    const set = (node, text) => {
      if (node.textContent !== text) node.textContent = text;
    };
    for (const [node, position] of numbers) set(node, textAt(position));
    for (const [node, template] of texts) set(node, filled(template, textAt));
    for (const [node, tex] of formulas) set(node, filled(tex, (position) => inTex(textAt(position))));
    for (const each of attributes) {
      const [node, name, template, before] = each;
      const text = filled(template, textAt);
      if (text === before) continue;
      each[3] = text;
      if (name === "style") node.style.setProperty(...text.split(": "));
      else node.setAttribute(name, text);
    }
  }

  /** Narrows texts of drawings that have become too long for their box. */
  fit() {
    const { lengths } = this.contents[this.shown];
    lengths.forEach(([text]) => text.removeAttribute("textLength"));
    const longer = lengths.filter(([text, length]) => text.textContent.length > length);
    const measured = longer.map(([text]) => [text, text.getComputedTextLength(), roomOf(text)]);
    for (const [text, width, room] of measured) if (width > room) {
      text.setAttribute("textLength", room);
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }
}

/** The value of a control that a text of decimal digits gives; undefined if it isn't in the range. */
const valueIn = ({ least: lowest, most }, text) => {
  const n = Number(text);
  return /^\d+$/.test(text) && n >= lowest && n <= most ? n : undefined;
};

/** An element with attributes and content. */
function createElement(name, attributes = {}, ...content) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...content);
  return node;
}

/** An interactive model: its values, controls and views. */
class Explorer {
  constructor(model, element) {
    const data = model.get("data");
    this.data = typeof data === "string" ? JSON.parse(data) : data; // text in a notebook
    this.model = model;
    this.element = element;
    this.values = { ...model.get("values") };
    const elements = [...element.querySelectorAll(".llmsize-view")];
    this.views = elements.map((node, k) => new View(node, this.data.views[k], this.data.words.unknown));
    this.inputs = this.data.controls.map((control) => this.control(control));
    this.result = createElement("p", { class: "llmsize-result" });
    this.others = createElement("ul", { class: "llmsize-others" });
    this.stayed = createElement("p", { class: "llmsize-stayed" });
    this.spoken = createElement("p", { class: "llmsize-spoken", role: "status" });
    this.panel = this.controls();
    // the title of a page that `llmsize show` writes is that of its model, and follows it
    this.namesPage = document.title === this.data.title;
    this.heading = element.querySelector(":scope > [data-llmsize-number]");
    if (this.heading) this.heading.after(this.panel);
    else element.prepend(this.panel);
    // only a page has an address of its own, which a link on the page may change
    this.follow = () => {
      if (this.from_hash()) this.update();
      else clearTimeout(this.waiting); // the reader has followed a link elsewhere
    };
    if (!model.set) {
      if (this.from_hash()) element.scrollIntoView();
      addEventListener("hashchange", this.follow);
    }
    model.on?.("change:values", () => this.receive(model.get("values")));
    // another width of the column may show another drawing
    this.fit = () => this.views.forEach((view) => view.fit());
    addEventListener("resize", this.fit);
    this.draw();
  }

  /** The panel with all controls. */
  controls() {
    const { words } = this.data;
    const button = (label, run) => {
      const node = createElement("button", { type: "button" }, label);
      node.addEventListener("click", () => run(node));
      return node;
    };
    this.reset = button(words.reset, () => {
      this.values = {};
      this.update();
    });
    this.copy = button(words.copy, async (node) => {
      const source = this.source();
      try {
        await navigator.clipboard.writeText(source);
        node.textContent = this.spoken.textContent = words.copied;
      } catch {
        this.written.hidden = false;
      }
      this.written.textContent = source;
      setTimeout(() => (node.textContent = words.copy), 2000);
    });
    this.written = createElement("pre", { class: "llmsize-source", tabindex: "0", hidden: "" });
    const fields = createElement("div", { class: "llmsize-controls" }, ...this.inputs.map((each) => each.field));
    const buttons = createElement("div", { class: "llmsize-buttons" }, this.reset, this.copy);
    const results = createElement("div", { class: "llmsize-results" }, this.result, this.others, buttons);
    const panel = { class: "llmsize-panel", role: "group", "aria-label": words.panel };
    return createElement("div", panel, fields, results, this.stayed, this.written, this.spoken);
  }

  /** A labelled control: a list, or a slider beside a field for any whole number in the range. */
  control(control) {
    const { name, symbol, label, steps, least: lowest, most, choices } = control;
    const id = `${this.element.id}-${name}`;
    /** Sets the value; false if a text isn't one. */
    const set = (text) => {
      const n = valueIn(control, text);
      if (n === undefined) return false;
      this.values[name] = n;
      if (n === Number(this.followed(control))) delete this.values[name];
      this.update();
      return true;
    };
    const base = createElement("span", { class: "llmsize-symbol" }, symbol[0]);
    const upright = symbol[1].length > 1 ? { class: "llmsize-upright" } : {};
    if (symbol[1]) base.append(createElement("sub", upright, symbol[1]));
    const heading = createElement("label", { for: id }, base, ` ${label}`);
    if (choices) {
      const items = choices.map((text, k) => createElement("option", { value: k }, text));
      const list = createElement("select", { id, autocomplete: "off" }, ...items);
      list.addEventListener("change", () => set(list.value));
      const field = createElement("div", { class: "llmsize-control" }, heading, list);
      return { control, field, show: (n) => (list.value = n) };
    }
    const number = createElement("input", {
      id, type: "number", min: lowest, max: most, step: 1, inputmode: "numeric", autocomplete: "off",
    });
    const range = createElement("input", {
      type: "range", min: 0, max: steps.length - 1, step: 1, "aria-label": label, autocomplete: "off",
    });
    let before;
    number.addEventListener("focus", () => (before = number.value));
    number.addEventListener("input", () => {
      if (set(number.value) || !(number.value || number.validity.badInput)) return;
      this.edited = number;
      this.update(control.range);
      this.edited = undefined;
    });
    // a text that isn't a value is replaced by the previous value; the message stays
    number.addEventListener("change", () => {
      const isValue = set(number.value);
      if (!isValue) set(before);
      this.update(isValue ? "" : control.range);
      before = number.value;
    });
    range.addEventListener("input", () => set(steps[range.value]));
    const show = (n, text, focused) => {
      const isFocused = focused === number;
      if (number !== this.edited && !(isFocused && Number(number.value) === n)) number.value = n;
      const at = steps.findIndex((step) => step >= n);
      if (steps[range.value] !== n) range.value = at < 0 ? steps.length - 1 : at;
      range.setAttribute("aria-valuetext", text);
    };
    const field = createElement("div", { class: "llmsize-control" }, heading, range, number);
    return { control, field, show };
  }

  /** The value of a control that the reader hasn't set: its own, or that of the size it follows. */
  followed(control) {
    return control.follows === null ? control.value : this.valueOf?.(control.follows) ?? control.value;
  }

  /** Function from an expression's position to its value, for the values that are set. */
  evaluated() {
    const variables = {};
    for (const { name, value } of this.data.controls) variables[name] = BigInt(this.values[name] ?? value);
    let valueOf = evaluator(this.data.nodes, variables);
    // values that follow other controls, as H_kv follows H, can be computed only now
    const followers = this.data.controls.filter((c) => c.follows !== null && !(c.name in this.values));
    for (const { name, follows } of followers) variables[name] = valueOf(follows) ?? variables[name];
    if (followers.length) valueOf = evaluator(this.data.nodes, { ...variables });
    this.variables = variables;
    return valueOf;
  }

  /** Shows the views for the values that are set, has the result read out, and stores the values.
   *
   * The message, if any, is about a value that is out of range. */
  update(message) {
    this.draw(message);
    this.settle();
    if (this.model.set && !this.has(this.model.get("values"))) {
      this.model.set("values", { ...this.values });
      this.model.save_changes();
    }
  }

  /** Shows the views for the values that are set, with the total, or the reason why there is none. */
  draw(message) {
    const { data } = this;
    const focused = this.element.getRootNode().activeElement; // first, since it computes styles
    const valueOf = (this.valueOf = this.evaluated());
    const holds = once(data.conditions.length, (position) => {
      const [operator, ...operands] = data.conditions[position];
      const [a, b] = operands.map(valueOf);
      if (a === undefined || b === undefined) return undefined;
      const difference = compare(a, b);
      return operator === "==" ? difference === 0n : difference < 0n;
    });
    // a condition is a position, or -1 - position if it must not hold
    const fits = this.fits = (conditions) =>
      conditions.every((k) => (k < 0 ? holds(-1 - k) === false : holds(k) === true));
    this.isChanged = data.controls.some(({ key, name }) => key && name in this.values);
    this.element.classList.toggle("llmsize-changed", this.isChanged);
    const found = this.found = (texts) => texts.find((each) => fits(each.conditions));
    const settings = this.settings();
    this.named = data.changes.filter((each) => (each.follows || each.key in settings) && !fits(each.unless));
    const textAt = writer(data, valueOf, this.isChanged && ((text) => this.title(text)));
    const title = this.isChanged ? this.title(textAt) : data.title;
    if (this.heading) this.heading.textContent = title;
    const error = found(data.errors);
    const total = found(data.results);
    this.element.classList.toggle("llmsize-impossible", Boolean(error));
    this.copy.disabled = Boolean(error);
    this.problem = error || total ? "" : data.words.unknown;
    if (error) this.problem = `${filled(error.text, textAt)}. ${data.words.before}`;
    const result = error || !total ? "" : filled(total.text, textAt);
    // as on a static page, the total of a model without a name is the title
    if (this.namesPage && (title || result)) document.title = title || result;
    this.result.textContent = [result, message, this.problem].filter(Boolean).join(". ");
    this.stayed.textContent = error ? "" : this.sizesThatStayed(textAt);
    this.result.classList.toggle("llmsize-problem", Boolean(this.problem || message));
    for (const view of this.views) {
      const fitting = fits(view.variants[view.shown]) ? view.shown : view.variants.findIndex(fits);
      view.note.hidden = error || fitting >= 0;
      view.element.hidden = !view.note.hidden;
      if (error || fitting < 0) continue;
      view.show(fitting);
      view.write(textAt);
    }
    // sizes without a control, each once
    const others = [...this.element.querySelectorAll(".llmsize-view:not([hidden]) li:not(.llmsize-controlled)")];
    const copies = new Map(others.map((node) => [node.textContent, node.cloneNode(true)]));
    this.others.replaceChildren(...copies.values());
    for (const { control, show } of this.inputs) {
      const n = Number(this.variables[control.name]);
      show(n, n.toLocaleString(document.documentElement.lang || undefined), focused);
    }
    // a disabled button would lose the focus
    this.reset.setAttribute("aria-disabled", !Object.keys(this.values).length);
    this.copy.textContent = data.words.copy;
    if (!this.written.hidden) this.written.textContent = this.source();
    this.fit(); // last, since it measures, so that the page is laid out once
  }

  /** True if the reader has set exactly these values. */
  has(values) {
    return JSON.stringify(values ?? {}) === JSON.stringify(this.values);
  }

  /** Sets the values that a notebook has set. */
  receive(values) {
    if (this.has(values)) return;
    this.values = { ...values };
    this.update();
  }

  /** After the last of several steps, lets a screen reader read the result, and sets the address. */
  settle() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      if (!this.model.set) this.to_hash();
      const note = this.stayed.textContent;
      const isNew = note && note !== this.heard;
      this.spoken.textContent = this.result.textContent + (isNew ? `. ${note}` : "");
      this.heard = note;
    }, 300);
  }

  /** The keys of the model that the copied source contains, with their values. */
  settings() {
    const settings = { ...this.data.source.settings };
    for (const { name, key } of this.data.controls)
      // a size in the body is written again, since it may follow another one
      if (key && (name in this.values || key in settings)) settings[key] = this.variables[name];
    return settings;
  }

  /** The title of the changed model: that of the page which the copied source makes. */
  title(textAt) {
    const { changed, words } = this.data;
    const shown = this.named.map(({ texts }) => filled(this.found(texts).text, textAt));
    return shown.length ? fill(words.with, { model: changed, changes: listed(shown, words) }) : changed;
  }

  /** Sentences on the sizes that usually change with one that has changed, but didn't. */
  sizesThatStayed(textAt) {
    const isNamed = (key) => this.named.some((each) => each.key === key);
    const sentences = this.data.stayed.map(({ unless, text, followers }) => {
      const sizes = followers
        .filter(([key, { conditions }]) => !isNamed(key) && this.fits(conditions))
        .map((each) => filled(each[1].text, textAt));
      return !this.fits(unless) && sizes.length && fill(text, { sizes: listed(sizes, this.data.words) });
    });
    return sentences.filter(Boolean).join(" ");
  }

  /** The source that makes this model, in the syntax of the page's host. */
  source() {
    const { source, controls } = this.data;
    const options = { ...source.options };
    for (const { name, options: names, choices, texts } of controls)
      if (name in this.values)
        for (const key of names) options[key] = choices ? texts[this.variables[name]] : this.variables[name];
    const write = ([key, value]) => fill(source.option[value === "" ? 1 : 0], { key, value });
    const [setting, separator, all] = source.setting;
    const settings = Object.entries(this.settings()).map(([key, value]) => fill(setting, { key, value }));
    return fill(source.layout, {
      name: source.names[Number(this.isChanged)],
      options: Object.entries(options).map(write).join(""),
      settings: settings.length ? fill(all, { settings: settings.join(separator) }) : "",
    });
  }

  /** Reads the values in the page's address: `#id:D=5120,L=40`, with `+` between several models. */
  from_hash() {
    let isFound = false;
    for (const part of decoded(location.hash.slice(1)).split("+")) {
      const [id, text] = part.split(":");
      if (id !== this.element.id || text === undefined) continue;
      isFound = true;
      this.values = {};
      for (const pair of text.split(",")) {
        const [name, value] = pair.split("=");
        const control = this.data.controls.find((each) => each.name === name);
        const n = control && valueIn(control, value);
        if (n !== undefined) this.values[name] = n;
      }
    }
    return isFound;
  }

  /** Writes the values into the page's address. */
  to_hash() {
    const pairs = Object.entries(this.values).map(([name, value]) => `${name}=${value}`);
    const isOfOther = (part) => part.includes(":") && part.split(":")[0] !== this.element.id;
    const parts = location.hash.slice(1).split("+").filter(isOfOther);
    if (pairs.length) parts.push(`${this.element.id}:${pairs.join(",")}`);
    try {
      history.replaceState(history.state, "", `#${parts.join("+")}`);
    } catch {
      // a page in a frame may have no address of its own
    }
  }
}

export default {
  render({ model, el }) {
    const html = model.get("html");
    if (html) el.innerHTML = html;
    const element = el.matches(".llmsize-explorer") ? el : el.querySelector(".llmsize-explorer");
    element.explorer ??= new Explorer(model, element);
    return () => {
      removeEventListener("resize", element.explorer.fit);
      removeEventListener("hashchange", element.explorer.follow);
      element.explorer.panel.remove();
    };
  },
};
