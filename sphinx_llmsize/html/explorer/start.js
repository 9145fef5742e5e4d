// Start of the explorers of a page, as a classic script around the module

function start() {
  for (const el of document.querySelectorAll(".llmsize-explorer")) {
    const [data] = JSON.parse(el.querySelector(":scope > script").textContent);
    widget.render({ model: { get: (key) => (key === "data" ? data : undefined) }, el });
  }
}
// Material for MkDocs replaces the content when a reader follows a link
if (globalThis.document$) document$.subscribe(start);
else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
