// Prints the HTML of a page of a site's content, as the themes of mystmd write it.

import { readFileSync } from "node:fs";
import { ThemeProvider } from "@myst-theme/providers";
import { DEFAULT_RENDERERS, MyST } from "myst-to-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const { mdast } = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const theme = { theme: "light", setTheme: () => {}, renderers: DEFAULT_RENDERERS };
const page = createElement(ThemeProvider, theme, createElement(MyST, { ast: mdast }));
process.stdout.write(renderToStaticMarkup(page));
