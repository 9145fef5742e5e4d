"""Drawn diagrams and charts as SVG files beside the pages that show them."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from sphinx_llmsize.charts import Chart
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.escaping import escape_markdown, slug
from sphinx_llmsize.html.svg import svg_file
from sphinx_llmsize.markdown_flavours import Address
from sphinx_llmsize.sources.files import digest
from sphinx_llmsize.sources.preset_files import find_preset

STATIC = "static"
"""Folder of files that Hugo copies to the site's root."""


@dataclass
class Pictures:
    """The pictures of one file.

    Attributes:
        assets: folder of the pictures.
        page: the Markdown file.
        address: way to write the addresses of pictures.
        site: folder of the site's configuration; None without a site.
        own_models: names of the models configured on the page, in lower case.
        files: SVG of each picture so far, by its path.
    """

    assets: Path
    page: Path
    address: Address
    site: Path | None
    own_models: Collection[str]
    files: dict[Path, str] = field(default_factory=dict)

    def markdown(self, call: Call, block: Chart | Diagram) -> str:
        """Draw a picture and keep it in ``files``; return Markdown that describes it in words."""
        name, svg = self._name(call, block.kind), svg_file(block)
        path = self.assets / f"{name}.svg"
        number = 1
        # a call may have several pictures of a kind; equal ones share a file
        while path in self.files and self.files[path] != svg:
            number += 1
            path = self.assets / f"{name}-{number}.svg"
        self.files[path] = svg
        return f"![{escape_markdown(block.alternative)}]({self._address(path)})"

    def _name(self, call: Call, kind: str) -> str:
        """Name of a picture; it depends on the page and the call, not on the content.

        All pages use one name for a preset's diagram if no option but ``show`` is set:
        ``llama-7b-diagram``. Every other name ends in a hash of the page's path and the call, since
        models on different pages may have the same name, even that of a preset. For a chart, the
        hash includes the option ``show``, since several views have one.
        """
        name = slug(call.argument)
        options = dict(call.options)
        if kind == "diagram":
            options.pop("show", None)
        is_own = call.argument.casefold() in self.own_models
        is_preset = call.directive == "llm-size" and not is_own and find_preset(call.argument)
        if is_preset and not (options or call.body):
            return f"{name}-{kind}"
        page = _relative(self.page, self.assets)
        content = repr((page, call.directive, call.argument, sorted(options.items()), call.body))
        return f"{name}-{kind}-{digest(content.encode('utf-8', 'backslashreplace'))[:8]}"

    def _address(self, path: Path) -> str:
        """Address of a picture in Markdown: from the site's root, or relative to the page."""
        if self.site and self.address is not Address.RELATIVE:
            root = self.site / STATIC if self.address is Address.HUGO else self.site
            if path.is_relative_to(root):
                absolute = f"/{quote(path.relative_to(root).as_posix())}"
                if self.address is Address.LIQUID:
                    return f'{{{{ "{absolute}" | relative_url }}}}'
                return absolute
        return quote(_relative(path, self.page.parent), safe="/:")


def _relative(path: Path, folder: Path) -> str:
    """A path relative to a folder, with slashes; absolute if it is on another drive."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return path.as_posix()
