"""Doctrees and data of some models; as a script, with every label changed, printed as JSON.

``test_labels`` runs this script: labels can only be altered before the package is imported.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

MARK = "zzq"
"""Inserted before the first word of every label."""
_START = re.compile(r"(?:\{\w+\}|[^\w{])*")
"""Placeholders and signs before the first word of a label."""
MODELS = ("llama-7b", "deepseek-v3", "t5-small")
if os.environ.get("LLMSIZE_EVERY_PRESET"):
    MODELS += (
        "jamba-v0.1",
        "gemma-3-4b-it",
        "mixtral-8x7b",
        "qwen3-next-80b-a3b",
        "falcon-mamba-7b",
    )
WORDS = (
    *("embedding", "attention", "sequence_mixing", "feed_forward", "experts"),
    *("residual_streams", "norms", "head", "mlp", "attn", "total", "active", "non_embedding"),
)
"""Names of numbers, which not every model has."""
PAGE = """
.. llm-size:: {model}
   :show: {views}
   :detail: tensor
   :links: {box}: https://example.org
"""
SHARED = """
.. llm-compare:: llama-7b, gpt2, mixtral-8x7b
   :show: table, composition
   :columns: total, active, mlp:share, feed_forward, hidden_dim, kv_cache
   :sort: feed_forward

.. llm-template::

   {{ model("mixtral-8x7b").experts | short }} {{ model("gpt2").components.mlp_up }}
"""


def altered(message: str) -> str:
    """The message with the mark, or an empty one."""
    return _START.sub(lambda start: start[0] + MARK, message, count=1) if message else ""


def alter_labels() -> None:
    """Alter all messages that the module of translations marks or translates.

    All other modules are imported after this.
    """
    spec = find_spec("sphinx_llmsize.translation")
    assert spec
    assert spec.loader
    translation: Any = module_from_spec(spec)
    sys.modules[spec.name] = translation  # dataclasses look their module up there
    spec.loader.exec_module(translation)
    mark, translate, plural = translation.N_, translation._, translation.ngettext

    def marked(message: str, /, **parts: object) -> str:
        found: str = mark(altered(message), **parts)
        return found

    def translated(message: str, /, **values: object) -> str:
        is_phrase = isinstance(message, translation.Phrase)
        found: str = translate(message if is_phrase else altered(message), **values)
        return found

    def numbered(one: str, many: str, number: int, /, **values: object) -> str:
        found: str = plural(altered(one), altered(many), number, **values)
        return found

    translation.N_, translation._, translation.ngettext = marked, translated, numbered
    for name in [name for name in sys.modules if name.startswith("sphinx_llmsize.")]:
        del sys.modules[name]
    sys.modules["sphinx_llmsize.translation"] = translation


def data(name: str) -> dict[str, Any]:
    """Ids, keys and numbers of a model, which must not depend on labels."""
    from sphinx_llmsize.errors import ConfigError
    from sphinx_llmsize.hosts.json import numbers
    from sphinx_llmsize.make_model import load_preset
    from sphinx_llmsize.views import document
    from sphinx_llmsize.views.numbers.model_numbers import number_text
    from sphinx_llmsize.views.view_options import ViewOptions

    def figure(word: str) -> str | None:
        try:
            return number_text(model, (word, "exact"))
        except ConfigError:
            return None

    model = load_preset(name)
    (diagram,) = document(model, ("diagram",), ViewOptions())
    return {
        "json": numbers(model),
        "keys": sorted(model.keys),
        "figures": {word: figure(word) for word in WORDS},
        "groups": [placed.stage.group.value for placed in model.architecture.placed_stages()],
        "stages": [placed.stage.id for placed in model.architecture.placed_stages()],
        "stacks": [(stack.id, str(stack.layers)) for stack in model.architecture.stacks()],
        "boxes": [
            (box.id, box.names, box.kind.value, box.growth.value, box.reads)
            for box in diagram.boxes
        ],
        "arrows": [(arrow.start.id, arrow.end.id) for arrow in diagram.arrows],
        "clusters": [cluster.id for cluster in diagram.clusters],
    }


def doctrees(folder: Path, found: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Doctrees of a page about each model with all of its views, and of a page with the others."""
    from sphinx.testing.util import SphinxTestApp

    from sphinx_llmsize.hosts.markdown import to_markdown  # noqa: F401 - imported with altered labels
    from sphinx_llmsize.views import VIEWS

    for name in MODELS:
        views = ", ".join(view for view in VIEWS if (name, view) != ("t5-small", "scaling"))
        page = PAGE.format(
            model=name, views=views, box=(found[name]["boxes"][1][1] or ["tokens"])[0]
        )
        roles = " ".join(
            f":llm-size:`{name}:{word}`" for word, text in found[name]["figures"].items() if text
        )
        (folder / f"{name}.rst").write_text(f":orphan:\n\nT\n=\n\n{roles}\n{page}", "utf-8")
    (folder / "index.rst").write_text(f"T\n=\n{SHARED}", "utf-8")
    (folder / "conf.py").write_text('extensions = ["sphinx_llmsize"]\n', "utf-8")
    app = SphinxTestApp("dummy", srcdir=folder)
    try:
        app.build()
        assert app.warning.getvalue() == ""
        pages = ((name, app.env.get_doctree(name)) for name in ("index", *MODELS))
        return {name: "".join(child.pformat() for child in page) for name, page in pages}
    finally:
        app.cleanup()


def data_and_pages(folder: Path) -> dict[str, Any]:
    """The data of all models and the doctrees of all pages, which are written to the folder."""
    found = {name: data(name) for name in MODELS}
    return {"data": found, "pages": doctrees(folder, found)}


if __name__ == "__main__":
    alter_labels()
    with tempfile.TemporaryDirectory() as folder:
        json.dump(data_and_pages(Path(folder)), sys.stdout)
