"""Pages of a catalogue, written into the source directory before it is read.

A page is reStructuredText, made by the template ``llmsize/catalogue.rst.jinja``. Files that don't
contain :data:`MARK` are the author's: they are neither changed nor removed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.util import logging

from sphinx_llmsize import templating
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx.catalogue import setting
from sphinx_llmsize.hosts.sphinx.catalogue.catalogue_page import CataloguePage, file_name
from sphinx_llmsize.hosts.sphinx.domain import resolve_from_confdir
from sphinx_llmsize.hosts.sphinx.locate import setting_position
from sphinx_llmsize.hosts.sphinx.problems import warn
from sphinx_llmsize.lineage.predecessors import predecessor
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.sources.presets import Preset, presets
from sphinx_llmsize.template_files import FOLDER

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

TEMPLATE = f"{FOLDER}/catalogue.rst.jinja"
MARK = "Generated for llmsize_catalogue"
"""Text in the first lines of every generated page."""
logger = logging.getLogger(__name__)


def write_pages(app: Sphinx) -> None:
    """Write the pages of all folders, and remove those that are no longer wanted."""
    env = app.env
    names = setting.models_in_catalogue(env)
    position = setting_position(app.confdir, setting.NAME)
    following = successors(names)
    for folder, wanted in setting.folders(app.config).items():
        found, errors = setting.matching(env, wanted)
        for error in errors:
            warn(error, position)
        try:
            pages = (_page(name, names, following) for name in found)
            texts = {file_name(page.name): _text(env, page) for page in pages}
            _update(Path(app.srcdir, folder), texts)
        except ConfigError as error:
            warn(error, (error.file, error.line or 1) if error.file else position)
        except OSError as error:
            logger.warning("%s", error, type="llmsize", subtype="file")


def successors(names: Sequence[str]) -> dict[str, list[Preset]]:
    """The presets among these names that follow each of the others."""
    found: dict[str, list[Preset]] = {}
    for name in names:
        if preset := presets().get(name):
            before = predecessor(load_preset(name))
            if before and before.preset:
                found.setdefault(before.preset.name, []).append(preset)
    return found


def _page(
    name: str, names: Sequence[str], following: Mapping[str, Sequence[Preset]]
) -> CataloguePage:
    preset = presets().get(name)
    if not preset:
        return CataloguePage(name)
    model = load_preset(name)
    before = predecessor(model)
    if before and before.preset and before.preset.name not in names:
        before = None
    return CataloguePage(name, preset, model.total, before, following.get(name, ()))


def _text(env: BuildEnvironment, page: CataloguePage) -> str:
    """The page's source."""
    path = resolve_from_confdir(env, env.config.templates_path)
    version = templating.version_of(TEMPLATE, path)
    return templating.render(TEMPLATE, path, version, page=page, mark=MARK)


def _update(folder: Path, texts: Mapping[str, str]) -> None:
    """Write generated pages if they changed, and remove generated ones of other models."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.rst"):
        if file.stem not in texts and _is_generated(file):
            file.unlink()
    for stem, text in texts.items():
        file = folder / f"{stem}.rst"
        if not file.exists() or (_is_generated(file) and file.read_bytes() != text.encode()):
            file.write_text(text, "utf-8", newline="\n")


def _is_generated(file: Path) -> bool:
    """True if a comment at the start of the file has the mark: no author wrote it."""
    with file.open(encoding="utf-8", errors="replace") as opened:
        return f"\n.. {MARK}" in f"\n{opened.read(500)}"
