"""Settings of ``llmsize update``: its arguments, and the files ``.llmsize.toml``.

::

    flavor = "hugo"
    diagram = "svg"
    assets = "static/images"
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sphinx_llmsize.errors import ConfigError, Problem, unknown_word
from sphinx_llmsize.markdown_flavours import FLAVOURS
from sphinx_llmsize.sources.files import is_within
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.update.settings_text import parse, read_text

FILE = ".llmsize.toml"
"""Name of the files with settings."""
REPOSITORY = ".git"
"""Name in the root folder of a repository, above which no settings are read."""
MERMAID, SVG = "mermaid", "svg"
CHOICES: dict[str, tuple[str, ...]] = {
    "flavor": (*FLAVOURS,),
    "diagram": (MERMAID, SVG),
    "assets": (),
}
"""Allowed values of each setting; empty for a folder."""


@dataclass(frozen=True)
class Settings:
    """Settings for rewriting the regions of a file.

    Attributes:
        flavor: name of the flavour of Markdown; empty for that of the site.
        diagram: ``mermaid`` or ``svg``; empty for the default, Mermaid.
        assets: folder of the SVG files; None for none.
    """

    flavor: str = ""
    diagram: str = ""
    assets: Path | None = None

    def with_defaults(self, defaults: Settings) -> Settings:
        """These settings, with the defaults for those that are not set."""
        return Settings(
            self.flavor or defaults.flavor,
            self.diagram or defaults.diagram,
            self.assets or defaults.assets,
        )

    @property
    def pictures_folder(self) -> Path | None:
        """Folder of the SVG files of diagrams and charts; None for Mermaid.

        A folder beside ``diagram = "mermaid"`` is unused: a parent's ``.llmsize.toml`` may set it.

        Raises:
            ConfigError: only one of ``diagram = "svg"`` and the folder is set, or the folder is a
                file.
        """
        if self.assets and not self.diagram:
            message = _("a folder for SVG files needs diagram svg")
            hint = _("add --diagram svg, or diagram in {file}", file=FILE)
            raise ConfigError(message, Problem.OPTION, hint)
        if self.diagram == SVG and not self.assets:
            message = _("there is no folder for SVG files")
            hint = _("add --assets DIR, or assets in {file}", file=FILE)
            raise ConfigError(message, Problem.OPTION, hint)
        folder = self.assets if self.diagram == SVG else None
        # unlike methods of Path, these raise no error for a path that is too long
        if folder and os.path.exists(folder) and not os.path.isdir(folder):
            message = _("the folder for SVG files is a file")
            raise ConfigError(message, Problem.FILE, file=str(folder))
        return folder


@lru_cache(maxsize=4096)
def settings_of(folder: Path) -> Settings:
    """The settings for the files in a folder: its ``.llmsize.toml``, and those of parent folders.

    Nearer files take precedence. Folders above the repository's root are ignored.

    Raises:
        ConfigError: one of the files can't be used.
    """
    path = folder / FILE
    try:
        # unlike methods of Path, these raise no error in a folder that can't be searched
        settings = _read(path) if os.path.isfile(path) else Settings()
    except ConfigError as error:
        raise error.at(file=str(path)) from None
    is_root = folder == folder.parent or os.path.exists(folder / REPOSITORY)
    return settings if is_root else settings.with_defaults(settings_of(folder.parent))


def _read(path: Path) -> Settings:
    """Read the settings of a file; a relative folder is relative to that of the file.

    Raises:
        ConfigError: the file can't be read, or a setting is wrong.
    """
    text = read_text(path)
    settings = parse(text, path)
    for name, value in settings.items():
        if error := _setting_error(name, value, path.parent):
            raise error.at(line=_line_of(name, text))
    assets = None
    if "assets" in settings:
        assets = Path(os.path.normpath(path.parent / settings["assets"]))
    return Settings(settings.get("flavor", ""), settings.get("diagram", ""), assets)


def _setting_error(name: str, value: object, folder: Path) -> ConfigError | None:
    """Error for a wrong setting, without its line; None if it is right.

    Args:
        name: name of the setting.
        value: its value.
        folder: folder of the file with the setting.
    """
    if name not in CHOICES:
        return unknown_word(N_("unknown setting {name}"), name, CHOICES, Problem.OPTION)
    if not isinstance(value, str):
        message = _("{name} must be text, in quotes", name=name)
        return ConfigError(message, Problem.VALUE)
    choices = CHOICES[name]
    if not choices and not _is_inside(value, folder):
        hint = _("write a path inside it, or move the file to a parent folder")
        return ConfigError(_("{name} is outside the file's folder", name=name), Problem.FILE, hint)
    if choices and value not in choices:
        message = N_("unknown {setting} {name}")
        return unknown_word(message, value, choices, Problem.VALUE, setting=name)
    return None


def _is_inside(name: str, folder: Path) -> bool:
    """True if a path relative to a folder stays inside it, also through symbolic links."""
    real = os.path.realpath(folder)
    return "\0" not in name and is_within(os.path.realpath(folder / name), real)


def _line_of(name: str, text: str) -> int | None:
    """0-based line of a setting; None if it isn't found."""
    found = re.search(rf"""^[ \t]*["']?{re.escape(name)}\b""", text, re.MULTILINE)
    return text.count("\n", 0, found.start(0)) if found else None
