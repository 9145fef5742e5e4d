"""The site that a Markdown file belongs to, and its flavour of Markdown."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from sphinx_llmsize.markdown_flavours import GITHUB, HUGO, JEKYLL, MKDOCS, QUARTO, Flavour
from sphinx_llmsize.update.settings_text import READERS, parse, read_text

# text after the name of a setting; the group is the value, without quotes and comments
_VALUE = r"\s*[:=]\s*['\"]?([^'\"#\n]+?)['\"]?\s*(?:#.*)?$"
_DOCS_DIR = re.compile(rf"^docs_dir{_VALUE}", re.MULTILINE)
"""Folder of the pages in a configuration of MkDocs."""
_INHERIT = re.compile(rf"^INHERIT{_VALUE}", re.MULTILINE)
"""Path of the file from which a configuration of MkDocs inherits its settings."""
Settings = Mapping[str, Any]
"""Settings of a site by name, as its configuration has them."""


@dataclass(frozen=True)
class Site:
    """A site.

    Attributes:
        flavour: its flavour of Markdown.
        folder: folder of its configuration; None if there is no site.
        content: folder of its pages, outside of which readers see files on GitHub; None if all
            files are pages.
    """

    flavour: Flavour
    folder: Path | None = None
    content: Path | None = None


NO_SITE = Site(GITHUB)
"""Site of files that readers see on GitHub."""


def site_of(path: Path) -> Site:
    """The site of a Markdown file: that of the nearest folder with a site's configuration.

    A README beside the configuration, and files outside the folder of the pages, are GitHub's.

    Raises:
        ConfigError: the configuration can't be read.
    """
    for folder in path.parents:
        if site := _site_in(folder):
            is_readme = path.parent == folder and path.stem.casefold() == "readme"
            is_in_content = site.content is None or path.is_relative_to(site.content)
            return site if is_in_content and not is_readme else NO_SITE
    return NO_SITE


@lru_cache(maxsize=4096)
def _site_in(folder: Path) -> Site | None:
    """The site whose configuration is in a folder, or None."""
    try:
        names = {entry.name for entry in folder.iterdir()}
    except OSError:
        return None
    if names & {"_quarto.yml", "_quarto.yaml"}:
        return Site(QUARTO, folder)
    for name in sorted(names & {"mkdocs.yml", "mkdocs.yaml", "zensical.toml"}):
        return Site(MKDOCS, folder, folder / _docs_dir(folder / name))
    if _is_hugo(folder, names):
        settings = _hugo_settings(folder)
        content = str(settings.get("contentDir") or settings.get("contentdir") or "content")
        return Site(_hugo_flavour(settings), folder, folder / content)
    # Jupyter Book 1 and Hexo have a _config.yml too
    is_other_site = bool(names & {"_toc.yml", "scaffolds"})
    is_jekyll = bool(names & {"_config.yml", "_config.yaml", "_config.toml"})
    return Site(JEKYLL, folder) if is_jekyll and not is_other_site else None


def _docs_dir(path: Path) -> str:
    """Folder of the pages of a MkDocs site, relative to its configuration.

    Args:
        path: the configuration; those from which it inherits are read too.
    """
    read: set[Path] = set()
    while path not in read:  # a file that inherits from itself would be read for ever
        read.add(path)
        # searched as text: the YAML may have tags of Python objects
        text = read_text(path)
        if docs_dir := _DOCS_DIR.search(text):
            return docs_dir[1]
        base = _INHERIT.search(text)
        if not base:
            break
        path = Path(os.path.normpath(path.parent / base[1]))
    return "docs"


def _is_hugo(folder: Path, names: set[str]) -> bool:
    """True for a folder with Hugo's configuration.

    A name that other tools use too, such as ``config.toml``, counts only beside Hugo's folders.
    """
    if any(f"hugo{suffix}" in names for suffix in READERS):
        return True
    if os.path.isdir(folder / "config" / "_default"):
        return True
    has_config = any(f"config{suffix}" in names for suffix in READERS)
    return has_config and "content" in names and bool(names & {"archetypes", "themes", "layouts"})


def _hugo_settings(folder: Path) -> Settings:
    """The settings of a Hugo site; files in its folder take precedence over ``config/_default``."""
    settings: dict[str, Any] = {}
    default = folder / "config" / "_default"
    for parent in (default, folder):
        for suffix in READERS:
            settings |= _settings(parent / f"config{suffix}")
            settings |= _settings(parent / f"hugo{suffix}")
            # in config/_default, each section of the settings may have a file of its own
            markup = _settings(parent / f"markup{suffix}") if parent == default else {}
            if markup:
                settings["markup"] = markup
    return settings


def _hugo_flavour(settings: Settings) -> Flavour:
    """Hugo's flavour with raw HTML and math as the site has configured them."""
    flavour = HUGO
    if _nested(settings, "markup", "goldmark", "renderer", "unsafe") is True:
        flavour = replace(flavour, html=True, subscript=GITHUB.subscript)
    passthrough = _nested(settings, "markup", "goldmark", "extensions", "passthrough")
    if _nested(passthrough, "enable") is not True:
        # Goldmark would read the backslashes of TeX as its own
        return replace(flavour, math=None)
    configured = _nested(passthrough, "delimiters", "block")
    delimiters = configured if configured and isinstance(configured, list) else [["$$", "$$"]]
    for start, end in (("$$", "$$"), (r"\[", r"\]")):
        if [start, end] in delimiters:
            return replace(flavour, math=(start, end))
    return replace(flavour, math=None)


def _nested(settings: object, *names: str) -> Any:
    """Value of a nested setting, given by the names on the way to it; None if there is none."""
    for name in names:
        settings = settings.get(name) if isinstance(settings, dict) else None
    return settings


def _settings(path: Path) -> dict[str, Any]:
    """The settings in a file; empty if it is absent."""
    return parse(read_text(path), path) if os.path.isfile(path) else {}
