// Names for the theme's second <aside>, and code that scrolls within reach of the keyboard.

document.addEventListener("DOMContentLoaded", () => {
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
  for (const code of document.querySelectorAll(".highlight pre")) {
    if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
  }
});
