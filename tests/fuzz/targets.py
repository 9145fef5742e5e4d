"""Fuzz targets: each reads bytes as an author's text, or as a file.

A target catches our own error only, and asserts what must be true of every result.
"""

from __future__ import annotations

import html
import json
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from sphinx_llmsize import escaping, templating
from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.drawing import draw
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.json import numbers
from sphinx_llmsize.hosts.markdown import to_markdown
from sphinx_llmsize.hosts.sphinx import directive_options, pictures
from sphinx_llmsize.hosts.sphinx.directive_options import CompareOptions, SizeOptions
from sphinx_llmsize.make_model import load_file, load_preset, make_model
from sphinx_llmsize.markdown_flavours import GITHUB
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox import render
from sphinx_llmsize.sandbox.limits import MAX_CHARACTERS
from sphinx_llmsize.sources.comparison_text import comparison_lines
from sphinx_llmsize.sources.known_values import UndisclosedModel
from sphinx_llmsize.sources.number_text import NumberText
from sphinx_llmsize.sources.preset_files import find_preset
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.template_files import template_name
from sphinx_llmsize.update.rewrite import rewrite
from sphinx_llmsize.update.sites import Site
from sphinx_llmsize.views import document
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, model_row, stated_row
from sphinx_llmsize.views.comparison.side_by_side import side_by_side
from sphinx_llmsize.views.numbers.role_text import role_text
from sphinx_llmsize.views.option_declarations import options_of

Target = Callable[[bytes], None]

_OPTION = re.compile(r":([\w-]+):(.*)")
_VISIBLE = re.compile(f"[^{escaping._INVISIBLE.pattern[1:-1]}]")


def body(text: str) -> None:
    """The body of ``llm-size``: a complete configuration."""
    _check_counts(make_model("m", read_text(text)))


def preset(text: str) -> None:
    """A preset's name, and changed keys below it."""
    name, _, changes = text.partition("\n")
    # "figure" tests unknown names: suggesting a similar one is slow
    if find_preset(name):
        _check_counts(apply_changes(load_preset(name), read_text(changes)))


def directive(text: str) -> None:
    """Argument, options and body of ``llm-size``, and everything that it shows."""
    texts, lines = _options(text)
    name, content = lines[0], "\n".join(lines[1:])
    options = directive_options.read(texts, SizeOptions)
    if find_preset(name):
        model = (
            apply_changes(load_preset(name), read_text(content))
            if content.strip()
            else load_preset(name)
        )
    else:
        model = make_model(name or "model", read_text(content))
    blocks = document(model, options.show, options.view_options)
    for block in blocks:
        if isinstance(block, Chart):
            for language in pictures.LANGUAGES:
                template = template_name("chart", language)
                templating.render(template, picture=draw(block), id="id", background="")
    to_markdown(blocks, heading=model.name).encode()
    json.dumps(numbers(model)).encode()


def comparison(text: str) -> None:
    """Options and body of ``llm-compare``."""
    texts, lines = _options(text)
    rows = [_row(line.parse()) for line in comparison_lines("\n".join(lines))]
    options = directive_options.read(texts, CompareOptions)
    if rows:
        to_markdown(side_by_side(rows, options.show, options.comparison_options).blocks).encode()


def page(text: str) -> None:
    """A Markdown file with regions: a second update changes nothing."""
    site = Site(GITHUB)
    once = rewrite(text, Path("/page.md"), site)
    for error in once.errors:
        assert error.file or 0 <= (error.line or 0) <= text.count("\n") + text.count("\r")
    again = rewrite(once.text, Path("/page.md"), site)
    assert once.text == text if once.errors else (again.stale, again.text) == (0, once.text)


def figure(text: str) -> None:
    """Text of the role ``llm-size``."""
    role_text(text, _model).encode()


def template(text: str) -> None:
    """Body of ``llm-template``."""
    rendered = render(text, load_preset)
    assert len(rendered.lines) == len(rendered.origins)
    assert 0 <= min(rendered.origins) <= max(rendered.origins) <= _last_line(text)
    assert sum(map(len, rendered.lines)) <= MAX_CHARACTERS
    "\n".join(rendered.lines).encode()


def option(text: str) -> None:
    """Options of both directives, each read by itself."""
    for name, value in _options(text)[0].items():
        options = SizeOptions if name in options_of(SizeOptions) else CompareOptions
        directive_options.read({name: value}, options)


def escapes(text: str) -> None:
    """Escaped text in Mermaid, Markdown, XML and LaTeX: no markup in it, and no character lost."""
    visible = "".join(_VISIBLE.findall(text))
    mermaid = escaping.escape_mermaid(text)
    assert re.fullmatch(r"(?:[A-Za-z0-9]|#\d+;)*", mermaid)
    assert re.sub(r"#(\d+);", lambda found: chr(int(found[1])), mermaid) == visible
    xml = escaping.escape_xml(text)
    assert not re.search("""[<>"']|&(?!(?:amp|lt|gt|quot|#x27);)""", xml)
    assert html.unescape(xml) == visible
    markdown = escaping.escape_markdown(text)
    assert not re.search(r"[\\<>|$~{}@^]", re.sub(r"\\[`*_\[\]#!]", "", markdown))
    unescaped = html.unescape(re.sub(r"\\([`*_\[\]#!])", r"\1", markdown))
    assert unescaped == visible.replace("$", "＄").replace("\\", "＼")
    latex = escaping.escape_latex(text)
    allowed = r"\\(?:text[a-z]+\{\}|ensuremath\{\\[A-Za-z]+\}|[{}$&#_%,])|\{[-<>,!?]\}"
    assert not re.search(r"""[\\{}$&#_%^~`'"\-<>,!?]""", re.sub(allowed, "", latex))


def file(data: bytes) -> None:
    """A file for ``:config:``: its suffix, ``json`` or ``yaml``, and below it the contents."""
    suffix, _, content = data.partition(b"\n")
    path = _folder() / ("config.json" if suffix == b"json" else "config.yaml")
    path.write_bytes(content)
    try:
        _check_counts(load_file("m", path))
    except ConfigError as error:
        _check_error(error, content.decode("utf-8", "replace"))


def _of_text(read: Callable[[str], None]) -> Target:
    def target(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        try:
            read(text)
        except ConfigError as error:
            _check_error(error, text)

    return target


_TEXTS = (body, preset, directive, comparison, page, figure, template, option, escapes)
TARGETS: dict[str, Target] = {
    **{read.__name__: _of_text(read) for read in _TEXTS},
    file.__name__: file,
}
"""Targets by name."""


def _check_error(error: ConfigError, text: str) -> None:
    """Assert that the message can be encoded, and that its line is in the text."""
    assert error.line is None or 0 <= error.line <= _last_line(text)
    assert error.message
    str(error).encode()


def _last_line(text: str) -> int:
    return len(re.findall("\r\n|\r|\n", text))


def _check_counts(model: Model) -> None:
    assert model.total == sum(model.components.values())
    assert min(model.components.values()) >= 0
    assert model.total > 0
    assert 0 <= model.non_embedding <= model.total
    assert 0 <= model.active <= model.total


def _options(text: str) -> tuple[dict[str, str], list[str]]:
    """Options, from lines such as ``:show: table``, and the other lines."""
    found, lines = {}, []
    for line in text.split("\n"):
        if option := _OPTION.fullmatch(line):
            found[option[1]] = option[2]
        else:
            lines.append(line)
    return found, lines or [""]


def _model(wanted: NumberText) -> Model:
    base = load_preset(wanted.model)
    return apply_changes(base, wanted.changes) if wanted.changes else base


def _row(parsed: NumberText | UndisclosedModel) -> ComparedRow:
    if isinstance(parsed, UndisclosedModel):
        return stated_row(parsed.name, parsed.entries)
    return model_row(_model(parsed))


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="llmsize-fuzz-"))
