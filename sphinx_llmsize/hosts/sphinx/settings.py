"""Settings in ``conf.py``: our own, with their checks, and a secure default for Mermaid's."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from sphinx.config import ENUM

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.hosts.sphinx.guards import connect
from sphinx_llmsize.hosts.sphinx.locate import setting_location
from sphinx_llmsize.hosts.sphinx.number_format import EXAMPLES, separators_of
from sphinx_llmsize.hosts.sphinx.problems import warn
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

    ReportError = Callable[[ConfigError], None]
    """Function that warns of an error; the error's ``option`` is the name of a setting."""

MERMAID, SVG = "mermaid", "svg"
"""Values of ``llmsize_diagram``: drawn by Mermaid, or as SVG by this extension."""
SPHINX, MATHML = "sphinx", "mathml"
"""Values of ``llmsize_math``: typeset by the project's math renderer, or MathML."""
CHOICES = {"llmsize_diagram": (MERMAID, SVG), "llmsize_math": (SPHINX, MATHML)}
"""Settings with a fixed list of values; the first is the default."""
LANGUAGE_NUMBERS = "language"
"""Value of ``llmsize_number_format``: numbers as in the project's language."""
SAFE_MERMAID_VERSION = "11.16.1"
"""First release of Mermaid 11 without the known cross-site scripting flaws."""


def needs_no_request(config: Config) -> bool:
    """True if formulas are MathML and diagrams are SVG, so that no page loads files for them."""
    return bool(config.llmsize_math == MATHML and config.llmsize_diagram == SVG)


def _replace_unusable(app: Sphinx, config: Config) -> None:
    """Replace or drop each unusable value, after a warning at its line in ``conf.py``."""

    def report(error: ConfigError) -> None:
        warn(error, setting_location(app.confdir, error.option))

    config.llmsize_models = _models(config.llmsize_models, report)
    config.llmsize_config_roots = _folders(config.llmsize_config_roots, report)
    for name, choices in CHOICES.items():
        chosen = getattr(config, name)
        if not isinstance(chosen, str) or chosen not in choices:
            report(_unusable(name, chosen, _("one of {names}", names=", ".join(choices))))
            setattr(config, name, choices[0])
    numbers = config.llmsize_number_format
    if numbers != LANGUAGE_NUMBERS and separators_of(numbers) is None:
        examples = ", ".join(map(repr, (LANGUAGE_NUMBERS, *EXAMPLES)))
        hint = _("write the number as you want it: {names}", names=examples)
        report(_unusable("llmsize_number_format", numbers, hint))
        config.llmsize_number_format = LANGUAGE_NUMBERS


def _models(setting: object, report: ReportError) -> str | dict[str, object]:
    """The setting ``llmsize_models``: a folder, or descriptions by name.

    An error replaces each unusable description. Pages that name its model report the error.
    """
    if (folder := _folder(setting)) is not None:
        return folder
    try:
        descriptions = list(setting.items()) if isinstance(setting, Mapping) else None
    except Exception:  # objects from conf.py may raise anything
        descriptions = None
    if descriptions is None:
        hint = _("give a folder, or a dict of names and configurations")
        report(_unusable("llmsize_models", setting, hint))
        return {}
    usable: dict[str, object] = {}
    for key, description in descriptions:
        try:
            name = printable(str(key))
            usable[name] = _checked_description(name, description)
        except Exception:  # objects from conf.py may raise anything
            report(_unusable("llmsize_models", key, _("give names as text")))
    return usable


def _checked_description(name: str, description: object) -> object:
    """The description of a model, or an error if it is unusable."""
    from sphinx_llmsize.sources.located import section_of

    name = repr(name[:100])
    try:
        if isinstance(description, Mapping):
            section_of(description)
            repr(description)  # as for its fingerprint in project_models
            pickle.dumps(description)  # as Sphinx does with settings
            return description
    except ConfigError as error:
        return error
    except Exception:
        message = _("model {name} of llmsize_models cannot be read", name=name)
        return ConfigError(message, Problem.MODEL, _("write numbers, text, lists and dicts"))
    if isinstance(description, str):
        return description
    message = _("model {name} of llmsize_models is neither described nor a path", name=name)
    return ConfigError(message, Problem.MODEL, _("write a dict, or the path of a file"))


def _folders(setting: object, report: ReportError) -> list[str]:
    """The setting ``llmsize_config_roots``: the usable folders; reports the first unusable one."""
    folders: list[str] = []
    wrong: list[object] = []
    for item in setting if isinstance(setting, (list, tuple)) else [setting]:
        folder = _folder(item)
        if folder is None:
            wrong.append(item)
        else:
            folders.append(folder)
    if wrong:
        hint = _("give a folder, or a list of folders")
        report(_unusable("llmsize_config_roots", wrong[0], hint))
    return folders


def _folder(value: object) -> str | None:
    """A path as text, or None if the value is not a path."""
    try:
        path = os.fspath(value)  # type: ignore[call-overload]
    except Exception:  # objects from conf.py may raise anything
        return None
    return path if isinstance(path, str) and "\0" not in path else None


def _unusable(name: str, value: object, hint: str) -> ConfigError:
    """Error for an unusable value; it quotes a text, but names only the type of any other value."""
    message = _("{name} cannot be of type {kind}", name=name, kind=type(value).__name__)
    if isinstance(value, str):
        message = _("{name} cannot be {value}", name=name, value=repr(value[:60]))
    return ConfigError(message, Problem.OPTION, hint, option=name)


def _set_mermaid_version(app: Sphinx, config: Config) -> None:
    """Use a safe version of Mermaid unless the project chose one."""
    chosen = {**getattr(config, "_raw_config", {}), **config.overrides}
    if "mermaid_version" not in chosen:
        config.mermaid_version = SAFE_MERMAID_VERSION


def setup(app: Sphinx) -> None:
    """Declare and check our settings; load sphinxcontrib-mermaid unless diagrams are SVG."""
    # not "env", which rereads all pages: each page records the models it depends on
    app.add_config_value("llmsize_models", {}, "", (dict, str))
    app.add_config_value("llmsize_config_roots", [], "env", (list, tuple, str))
    app.add_config_value("llmsize_number_format", LANGUAGE_NUMBERS, "env", str)
    for name, choices in CHOICES.items():
        app.add_config_value(name, choices[0], "env", ENUM(*choices))
    if not isinstance(app.config.llmsize_diagram, str) or app.config.llmsize_diagram != SVG:
        app.setup_extension("sphinxcontrib.mermaid")
    # before Sphinx checks the types of values, at 800: its warnings have no warning type
    connect(app, "config-inited", _replace_unusable)
    connect(app, "config-inited", _set_mermaid_version)
