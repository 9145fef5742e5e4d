"""Data of an explorer that its script reads: expressions, conditions, texts and controls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sphinx_llmsize.interactive.changed_words import named_changes, sizes_that_stayed
from sphinx_llmsize.interactive.directive_source import Source
from sphinx_llmsize.interactive.explorer import Explorer
from sphinx_llmsize.interactive.source_syntax import Host, Syntax, source_data
from sphinx_llmsize.interactive.variants import Conditions, Message
from sphinx_llmsize.translation import _, current_separators
from sphinx_llmsize.views.shared.model_titles import WITH_CHANGES, title
from sphinx_llmsize.views.shared.size_facts import total_text
from sphinx_llmsize.views.shared.wording import LAST_ITEM, NEXT_ITEM


def explorer_data(explorer: Explorer, source: Source, host: Host) -> dict[str, Any]:
    """Data of an explorer for its script, as JSON can represent it."""
    all_conditions: dict[tuple[str, int, int], int] = {}  # with their positions

    def positions(conditions: Conditions) -> list[int]:
        """Position of each condition, or -1 - position if it must not hold."""
        found: list[int] = []
        for condition, result in conditions.items():
            position = all_conditions.setdefault(condition, len(all_conditions))
            found.append(position if result else -1 - position)
        return found

    def messages_data(messages: Iterable[Message]) -> list[dict[str, Any]]:
        return [{"conditions": positions(each.conditions), "text": each.text} for each in messages]

    # made before the result: these collect all conditions, and changes add texts to the trace
    changes = [
        {
            "key": each.key,
            "follows": each.follows,
            "unless": positions(each.unless),
            "texts": messages_data(each.texts),
        }
        for each in named_changes(explorer, source)
    ]
    stayed = [
        {
            "unless": positions(each.unless),
            "text": each.text,
            "followers": [[key, *messages_data([text])] for key, text in each.followers],
        }
        for each in sizes_that_stayed(explorer, source)
    ]
    views = [
        [positions(variant.conditions) for variant in variants]
        for variants in explorer.views.values()
    ]
    errors, results = messages_data(explorer.errors), messages_data(explorer.results)
    separators = current_separators()
    syntax = host(source)
    return {
        "name": explorer.model.name,
        "title": title(explorer.model) or total_text(explorer.model),
        "changed": source.changed or explorer.model.name,
        "changes": changes,
        "stayed": stayed,
        "controls": list(_controls(explorer, syntax)),
        "nodes": [_node(node) for node in explorer.trace.nodes],
        "texts": explorer.trace.texts,
        "conditions": list(all_conditions),
        "views": views,
        "errors": errors,
        "results": results,
        "separators": [separators.group, separators.decimal, separators.has_pairs],
        "words": _words(syntax),
        "source": source_data(source, syntax, explorer.controls),
    }


def _node(node: tuple[Any, ...]) -> Any:
    """An expression: an operator with its operands, a number, or the name of a variable.

    A number is text, since it may be too large for JSON.
    """
    head, *operands = node
    if head == "=":  # a variable
        return operands[0]
    return [head, *operands] if operands else str(head)


def _controls(explorer: Explorer, syntax: Syntax) -> Iterator[dict[str, Any]]:
    """The controls, with the names that the script reads."""
    name_of = explorer.model.family.name_of
    for control in explorer.controls:
        yield {
            "name": control.name,
            "symbol": control.symbol,
            "label": control.label,
            "value": control.value,
            "steps": control.steps,
            "least": control.least,
            "most": control.most,
            "follows": control.follows,
            "range": _(
                "{size}: a whole number from {least} to {most}",
                size=control.label,
                least=control.least,
                most=control.most,
            ),
            "choices": control.choices or None,
            "texts": [syntax.option_text(text) for text in control.texts],
            "options": control.options,
            "key": name_of(control.key) if control.key else "",
        }


def _words(syntax: Syntax) -> dict[str, str]:
    """Texts of the controls."""
    return {
        "panel": _("Sizes to change"),
        "reset": _("Reset"),
        "copy": _(syntax.label),
        "copied": _("Copied"),
        "with": _(WITH_CHANGES),
        "next": _(NEXT_ITEM),
        "and": _(LAST_ITEM),
        "before": _("The numbers below are for the previous sizes."),
        "unknown": _("This page isn't prepared to show this part for these values."),
    }
