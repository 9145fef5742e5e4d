"""Settings of an explorer, and the HTML that a page must show for them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import unescape

from sphinx_llmsize.blocks import Document, Heading
from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.html.block_elements import blocks_in_html
from sphinx_llmsize.html.class_names import FOLDED_CLASS, NARROW_CLASS, OF_PRESET_CLASS
from sphinx_llmsize.interactive.directive_source import source_of
from sphinx_llmsize.interactive.document import InteractiveDocument, interactive_document
from sphinx_llmsize.interactive.explorer import Explorer
from sphinx_llmsize.interactive.option_controls import DTYPE, SEQUENCES, TOKENS, initial_options
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.views import view
from sphinx_llmsize.views.shared.change_notes import change_notes
from sphinx_llmsize.views.shared.resolved_labels import resolved_labels
from sphinx_llmsize.views.view_options import ViewOptions

Setting = dict[str, int]
_NARROW = re.compile(rf'<div class="{NARROW_CLASS}".*?</div>', re.DOTALL)
_FOLDED = re.compile(rf'<p class="{FOLDED_CLASS}".*?</p>', re.DOTALL)
_OF_PRESET = re.compile(rf'<(p|span) class="[^"]*{OF_PRESET_CLASS}".*?</\1>', re.DOTALL)
_TEX = re.compile(r"<annotation [^<>]*>[^<>]*</annotation>")


@cache
def explored(model: Model, views: tuple[str, ...]) -> InteractiveDocument:
    """The interactive document of a model."""
    return interactive_document(model, views, ViewOptions(), source_of(model, {}))


def settings(explorer: Explorer, number: int, seed: str) -> Iterator[Setting]:
    """Random values for random controls: most at a step of the slider, others anywhere."""
    chosen = random.Random(seed)
    for _number in range(number):
        some = chosen.sample(explorer.controls, chosen.randint(1, len(explorer.controls)))
        yield {
            each.name: chosen.choice(each.steps)
            if chosen.random() < 0.8
            else chosen.randint(each.least, min(each.most, 4 * each.value))
            for each in some
        }


def model_at(explorer: Explorer, setting: Setting) -> Model:
    """The model with the sizes of a setting; raises ConfigError if they contradict each other."""
    sizes = {
        control.key.name: setting[control.name]
        for control in explorer.controls
        if control.key and control.name in setting
    }
    return apply_changes(explorer.model, section_of(sizes))


def html_at(explorer: Explorer, setting: Setting) -> list[str]:
    """The HTML of each view, without notes that the page hides or shows among the controls."""
    model = model_at(explorer, setting)
    names = tuple(dict.fromkeys(name.partition("-")[0] for name in explorer.views))
    options = initial_options(explorer.model, names, ViewOptions(shown=names))
    for control in explorer.controls:
        if control.name == TOKENS and TOKENS in setting:
            tokens = setting[TOKENS]
            options = replace(options, tokens=tokens, context=tokens)
        elif control.name == SEQUENCES and SEQUENCES in setting:
            options = replace(options, batch=setting[SEQUENCES])
        elif control.name == DTYPE and DTYPE in setting:
            options = replace(options, dtype=control.texts[setting[DTYPE]])
    options = replace(options, labels=resolved_labels(model, options.labels))
    is_changed = any(each.key and each.name in setting for each in explorer.controls)
    shown = [
        blocks_in_html((*_heading(explorer, name), *view(name)(model, options))) for name in names
    ]
    return [_OF_PRESET.sub("", html) for html in shown] if is_changed else shown


def stayed_at(explorer: Explorer, setting: Setting) -> str:
    """The sentences on sizes that stayed, although they usually change with others."""
    return " ".join(change_notes(model_at(explorer, setting)))


def _heading(explorer: Explorer, name: str) -> Document:
    """The heading of a view, which no setting changes."""
    blocks = explorer.views[name][0].blocks
    return tuple(block for block in blocks if isinstance(block, Heading))


def without_narrow(html: str) -> str:
    """HTML without what only narrow screens show: other drawings, and lines for hidden columns."""
    return _FOLDED.sub("", _NARROW.sub("", html))


def text_of(html: str) -> str:
    """The text of HTML, then the TeX of its formulas, without spaces, at which lines break."""
    separate = _TEX.sub("", html) + "".join(_TEX.findall(html))
    return without_spaces(unescape(re.sub(r"<[^<>]*>", "", separate)))


def without_spaces(text: str) -> str:
    """The text without spaces, and without separators, which are left out where a line breaks."""
    return re.sub(r"\s+(·\s+)?", "", text)
