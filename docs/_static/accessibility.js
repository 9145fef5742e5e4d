// Names for the theme's second <aside>, and code that scrolls within reach of the keyboard. The
// small views on cards are pictures: the title and the text of the card describe them.

document.addEventListener("DOMContentLoaded", () => {
  document.querySelector("aside.toc-drawer")?.setAttribute("aria-label", "On this page");
  for (const code of document.querySelectorAll(".highlight pre")) {
    if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
  }
  for (const picture of document.querySelectorAll(".thumbnail")) picture.inert = true;
});
