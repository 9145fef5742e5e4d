"""Elements of HTML, SVG and MathML; text in them and in their attributes is always escaped."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.escaping import escape_xml


class Markup(str):
    """Text with markup, which isn't escaped again; any other text is escaped in an element."""

    __slots__ = ()


def element(name: str, *content: str, **attributes: str) -> Markup:
    """An element with content and attributes.

    Args:
        name: name of the element, which can't be an empty one such as ``br``.
        content: markup and texts.
        attributes: values by name; in names, ``_`` becomes a hyphen, and one at the end is dropped:
            ``class_``. Attributes with empty values are left out.
    """
    attribute_texts = (
        f' {key.rstrip("_").replace("_", "-")}="{escape_xml(value)}"'
        for key, value in attributes.items()
        if value
    )
    return Markup(f"<{name}{''.join(attribute_texts)}>{join(content)}</{name}>")


def join(content: Iterable[str], between: str = "") -> Markup:
    """Join markup and texts to markup, with a separator; texts are escaped."""
    return Markup(between.join(map(_escape, content)))


def _escape(content: str) -> str:
    """The content, escaped unless it is markup."""
    return content if isinstance(content, Markup) else escape_xml(content)
