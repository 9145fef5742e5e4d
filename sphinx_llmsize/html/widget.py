"""Widget for notebooks that shows an interactive document; it needs the package anywidget."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.html.embedded import fragment_with_hash
from sphinx_llmsize.html.explorer_data import explorer_data
from sphinx_llmsize.html.interactive_page import module, styles
from sphinx_llmsize.html.stylesheet import stylesheet
from sphinx_llmsize.interactive.document import InteractiveDocument
from sphinx_llmsize.interactive.source_syntax import python
from sphinx_llmsize.translation import _


def widget(document: InteractiveDocument) -> Any:
    """A widget that shows the document; its trait ``values`` has the sizes that a reader has set.

    Raises:
        ConfigError: anywidget isn't installed.
    """
    try:
        base = import_module("anywidget").AnyWidget
        traitlets = import_module("traitlets")
    except ImportError:
        hint = _("install it: {command}", command="pip install anywidget")
        raise ConfigError(_("a widget needs anywidget"), Problem.OPTION, hint) from None
    data = explorer_data(document.explorer, document.source, python)

    class Widget(base):  # type: ignore[misc, valid-type]
        """An interactive model."""

        _esm = module()
        _css = f"{stylesheet()}\n{styles()}"
        html = traitlets.Unicode().tag(sync=True)
        data = traitlets.Unicode().tag(sync=True)
        values = traitlets.Dict().tag(sync=True)

    return Widget(html=fragment_with_hash(document), data=json.dumps(data))
