// A search field for the tables of a page, and unfolding of the part that a link leads to.
// Without this script, every row is there, in parts that readers unfold themselves.

function textOf(element) {
  const tooltips = [...element.querySelectorAll("[title]")].map((link) => link.title);
  return [element.textContent, ...tooltips].join(" ").toLowerCase();
}

// The rows of a folded part; the text of a row includes the headings above it.
function rowsOf(part) {
  const title = textOf(part.querySelector("summary"));
  let heading = null;
  return [...part.querySelectorAll("table.reference-table > tbody > tr")].flatMap((row) => {
    if (row.classList.contains("reference-heading")) {
      heading = row;
      return [];
    }
    return [{ row, heading, text: [title, heading ? textOf(heading) : "", textOf(row)].join(" ") }];
  });
}

function addFilter(container) {
  const parts = [...container.querySelectorAll(":scope > details")];
  const initial = parts.map((part) => part.open);
  const rows = parts.map(rowsOf);
  const all = rows.flat().length;

  const form = document.createElement("div");
  form.className = "reference-filter";
  const field = Object.assign(document.createElement("input"), {
    type: "search",
    placeholder: "Filter the tables",
    autocomplete: "off",
    spellcheck: false,
  });
  field.setAttribute("aria-label", field.placeholder);
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  form.append(field, status);
  container.prepend(form);

  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    parts.forEach((part, index) => {
      const headings = new Set();
      let matches = 0;
      for (const { row, heading, text } of rows[index]) {
        const found = words.every((word) => text.includes(word));
        row.hidden = !found;
        matches += found;
        if (heading) {
          heading.hidden = !found && !headings.has(heading);
          if (found) headings.add(heading);
        }
      }
      part.hidden = matches === 0;
      part.open = words.length ? matches > 0 : initial[index];
      shown += matches;
    });
    status.textContent = words.length ? `${shown} of ${all}` : "";
  });
}

function unfoldTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target?.closest("details"); part; part = part.parentElement.closest("details")) {
    part.open = true;
  }
  target?.scrollIntoView();
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".reference-filtered").forEach(addFilter);
  if (location.hash) unfoldTarget();
});
addEventListener("hashchange", unfoldTarget);
