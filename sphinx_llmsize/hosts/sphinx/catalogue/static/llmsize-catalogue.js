// Sorts and filters the tables of llm-catalogue. Without this script, all rows are shown, by name.

(() => {
  // Value of a cell to sort by: a number, which the tooltip has if the text is rounded, or a text. It
  // is an empty string for a cell without a value.
  const sortKey = (cell) => {
    const exact = cell.querySelector("[title]:not(a)")?.title ?? cell.textContent;
    if (!cell.classList.contains("llmsize-number")) return cell.textContent.trim();
    const digits = exact.replace(/\D/g, "");
    return digits && Number(digits);
  };

  const collator = new Intl.Collator(document.documentElement.lang || undefined, {
    numeric: true,
    sensitivity: "base",
  });
  const compare = (a, b) => (typeof a === "number" ? a - b : collator.compare(a, b));
  // cells without a value are last, in both directions
  const order = (a, b, isDescending) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    return isDescending ? compare(b, a) : compare(a, b);
  };

  // Sorts the rows by a column: numbers from the largest first, then the other way round. The first
  // column sorts by the order on the page: names, and models of the same name by size.
  function sortBy(heading, headings, body, positions) {
    const column = headings.indexOf(heading);
    const keyOf = (row) => (column ? sortKey(row.cells[column]) : positions.get(row));
    const before = heading.getAttribute("aria-sort");
    const isNumber = heading.classList.contains("llmsize-number");
    const isDescending = before ? before === "ascending" : isNumber;
    for (const each of headings) each.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
    const sorted = [...body.rows]
      .map((row) => [keyOf(row), row])
      .sort(([a], [b]) => order(a, b, isDescending));
    body.append(...sorted.map(([, row]) => row));
  }

  // Turns the headings into buttons that sort the table.
  function makeSortable(table, texts) {
    const headings = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    const positions = new Map([...body.rows].map((row, position) => [row, position]));
    for (const heading of headings) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...(heading.querySelector("p") ?? heading).childNodes);
      button.title = texts.sort.replace("{column}", button.textContent);
      button.addEventListener("click", () => sortBy(heading, headings, body, positions));
      heading.replaceChildren(button);
    }
    headings[0].setAttribute("aria-sort", "ascending");
  }

  // Adds a search field above the table. The address has its words, so that authors can link to them.
  function makeFilterable(container, table, texts) {
    const lines = texts.words.split("|");
    const rows = [...table.tBodies[0].rows].map((row, position) => [row, lines[position]]);
    const field = Object.assign(document.createElement("input"), {
      type: "search",
      placeholder: texts.filter,
      autocomplete: "off",
      spellcheck: false,
    });
    field.setAttribute("aria-label", texts.filter);
    const status = document.createElement("span");
    status.setAttribute("role", "status");
    const bar = document.createElement("div");
    bar.className = "llmsize-filter";
    bar.append(field, status);
    container.prepend(bar);

    // digits at the beginning or end of a word are those of a whole number: 7b isn't found in 27b or
    // 1.7b, and 3 isn't found in 34b
    const pattern = (word) => {
      const before = /^\d/.test(word) ? "(?<![\\d.])" : "";
      const after = /\d$/.test(word) ? "(?!\\d)" : "";
      return new RegExp(before + word.replace(/[^\p{L}\p{N}]/gu, "\\$&") + after);
    };

    const apply = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean).map(pattern);
      let shown = 0;
      for (const [row, text] of rows) {
        row.hidden = !words.every((word) => word.test(text));
        shown += !row.hidden;
      }
      status.textContent = texts.shown.replace("{n}", shown).replace("{total}", rows.length);
    };
    field.addEventListener("input", () => {
      apply();
      const address = new URL(location.href);
      if (field.value) address.searchParams.set("models", field.value);
      else address.searchParams.delete("models");
      history.replaceState(null, "", address);
    });
    field.value = new URLSearchParams(location.search).get("models") ?? "";
    apply();
  }

  for (const container of document.querySelectorAll(".llmsize-filtered")) {
    const table = container.querySelector("table");
    makeSortable(table, container.dataset);
    makeFilterable(container, table, container.dataset);
  }
})();
