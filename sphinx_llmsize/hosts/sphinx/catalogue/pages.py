"""Pages of a catalogue, written into the source directory before it is read.

A page is reStructuredText, made by the template ``llmsize/catalogue.rst.jinja``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_llmsize import templating
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx import project_models
from sphinx_llmsize.hosts.sphinx.catalogue import page_files, setting
from sphinx_llmsize.hosts.sphinx.catalogue.catalogue_page import CataloguePage, file_name
from sphinx_llmsize.hosts.sphinx.domain import resolve_from_confdir
from sphinx_llmsize.internal_errors import only_config_errors
from sphinx_llmsize.lineage.predecessors import predecessor
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.sources.preset_files import Preset, presets
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

TEMPLATE = f"{FOLDER}/catalogue.rst.jinja"
"""Template of a page."""


def write_pages(app: Sphinx) -> Iterator[ConfigError]:
    """Write the pages of all folders, remove those of other models, and yield errors.

    Pages are written only while a caller iterates over the errors.
    """
    env = app.env
    by_folder, errors = setting.models_by_folder(env)
    yield from errors
    if page_files.SUFFIX not in app.config.source_suffix:
        yield _missing_suffix_error()
    released = _presets_among(env, setting.models_in_catalogue(env))
    successors = successors_by_name(released.values())
    for folder, names in by_folder.items():
        pages, page_errors = _pages(names, released, successors)
        yield from page_errors
        try:
            texts, text_errors = _texts(env, pages)
        except ConfigError as error:
            yield error
        else:
            yield from text_errors
            yield from page_files.write_pages(Path(app.srcdir, folder), texts)


def successors_by_name(released: Iterable[Preset]) -> dict[str, list[Preset]]:
    """The presets that follow another one, by the name of that predecessor."""
    by_predecessor: dict[str, list[Preset]] = {}
    for preset in released:
        with suppress(ConfigError), only_config_errors():  # its page will report it
            earlier = predecessor(load_preset(preset.name))
            if earlier and earlier.preset:
                by_predecessor.setdefault(earlier.preset.name, []).append(preset)
    return by_predecessor


def _presets_among(env: BuildEnvironment, names: Iterable[str]) -> dict[str, Preset]:
    """The presets with these names, except those that a model of the project hides."""
    hidden = {name.casefold() for name in project_models.entry_names(env)}
    return {name: presets()[name] for name in names if name in presets() and name not in hidden}


def _pages(
    names: Sequence[str],
    released: Mapping[str, Preset],
    successors: Mapping[str, Sequence[Preset]],
) -> tuple[dict[str, CataloguePage], list[ConfigError]]:
    """Pages by the names of their files, and an error for each model without a page of its own.

    The name of its file is taken, or making its page fails: the page then has a notice instead of
    what only released models have.

    Args:
        names: the models.
        released: the presets with a page, by name.
        successors: successors of each preset, by its name.
    """
    pages: dict[str, CataloguePage] = {}
    models: dict[str, str] = {}  # by file name in lower case, since some file systems ignore case
    errors = []
    for name in names:
        file = file_name(name)
        other = models.setdefault(file.casefold(), name)
        if other != name:
            errors.append(_same_file_error(other, name))
            continue
        try:
            pages[file] = _page(name, released, successors)
        except ConfigError as error:
            errors.append(error)
            pages[file] = CataloguePage(name, error=str(error))
    return pages, errors


@only_config_errors()
def _page(
    name: str, released: Mapping[str, Preset], successors: Mapping[str, Sequence[Preset]]
) -> CataloguePage:
    """The page of a model; its predecessor is left out if that has no page.

    Args:
        name: the model.
        released: the presets with a page, by name.
        successors: successors of each preset, by its name.

    Raises:
        ConfigError: an internal error.
    """
    preset = released.get(name)
    if not preset:
        return CataloguePage(name)
    model = load_preset(name)
    earlier = predecessor(model)
    if earlier and earlier.preset and earlier.preset.name not in released:
        earlier = None
    return CataloguePage(name, preset, model.total, earlier, successors.get(name, ()))


def _texts(
    env: BuildEnvironment, pages: Mapping[str, CataloguePage]
) -> tuple[dict[str, str], list[ConfigError]]:
    """Source of each page, and the internal errors, of which those pages have a notice.

    Raises:
        ConfigError: a template of the project cannot be used.
    """
    texts: dict[str, str] = {}
    errors = []
    for file, page in pages.items():
        try:
            texts[file] = _text(env, page)
        except ConfigError as error:
            if error.problem is not Problem.INTERNAL:
                raise
            errors.append(error)
            texts[file] = _text(env, CataloguePage(page.name, error=str(error)))
    return texts, errors


def _text(env: BuildEnvironment, page: CataloguePage) -> str:
    """The page's source.

    Raises:
        ConfigError: a template of the project cannot be used, or an internal error.
    """
    path = resolve_from_confdir(env, env.config.templates_path)
    version = templating.version_of(TEMPLATE, path)
    text = templating.render(TEMPLATE, path, version, page=page, mark=page_files.MARK)
    if not page_files.is_marked(text):
        message = _("pages made by {template} lack the mark", template=TEMPLATE)
        hint = _("write it in a comment at their start: {example}", example=".. {{ mark }}")
        raise ConfigError(message, Problem.TEMPLATE, hint)
    return text


def _same_file_error(one: str, other: str) -> ConfigError:
    """Error for two models whose pages would have the same file name."""
    message = _(
        "the models {name} and {other} would have the same page",
        name=repr(one[:60]),
        other=repr(other[:60]),
    )
    return ConfigError(message, Problem.MODEL, _("give one of them another name"))


def _missing_suffix_error() -> ConfigError:
    """Error for a project that doesn't read reStructuredText."""
    message = _("pages of a catalogue are reStructuredText, which source_suffix leaves out")
    hint = _("add {example} to it", example='".rst": "restructuredtext"')
    return ConfigError(message, Problem.OPTION, hint)
