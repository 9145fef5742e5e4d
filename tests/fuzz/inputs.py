"""Random inputs for each target, and random changes of an input."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from fuzz import words

Draw = Callable[[Random], str]

_MAX_CHANGES = 3


def body(random: Random) -> str:
    """A configuration."""
    return words.to_text(words.config(random), random)


def preset(random: Random) -> str:
    """A preset's name, and two changed keys below it."""
    changes = [
        f"{key.names[0]}: {words.value(key.kind, random)}"
        for key in random.choices(words.keys_of(random.choice(words.MODEL_TYPES)), k=2)
    ]
    return "\n".join((words.name(random), *changes))


def directive(random: Random) -> str:
    """Argument, options and body of ``llm-size``."""
    if random.random() < 0.3:
        return f"{words.name(random)}\n{words.options(random)}"
    return f"m\n{words.options(random)}\n{body(random)}"


def comparison(random: Random) -> str:
    """Options and body of ``llm-compare``."""
    models = [figure_model(random) for _ in range(random.randrange(1, 4))]
    stated = ["GPT: {total: ~175B, hidden_dim: 12288}"] if random.random() < 0.3 else []
    return words.options(random, compare=True) + "\n".join((*models, *stated))


def page(random: Random) -> str:
    """A Markdown file with regions."""
    size = f"<!-- llm-size: {words.name(random)} show=rule\n{body(random)}\n-->\n<!-- /llm-size -->"
    models = "\n".join(figure_model(random) for _ in range(3))
    compared = f"<!-- llm-compare:\n{models}\n-->\n<!-- /llm-compare -->"
    number = f"text <!-- llm-size: {figure(random)} --><!-- /llm-size -->"
    around = random.choices(("```", "> ", "- ", "    ", "", "<div>", "---"), k=4)
    pieces = random.choices((size, compared, number), k=3)
    return "\n".join(piece for pair in zip(around, (*pieces, ""), strict=True) for piece in pair)


def figure(random: Random) -> str:
    """A number of a model, or the ratio of two."""
    number = _number(random)
    return f"{number} / {_number(random)}" if random.random() < 0.3 else number


def figure_model(random: Random) -> str:
    """A preset's name, with or without a changed key."""
    name = words.name(random)
    if random.random() < 0.6:
        return name
    return f"{name}?{words.key_name(random)}={random.choice((1, 2, 8, 4096, 'true'))}"


def template(random: Random) -> str:
    """Body of ``llm-template``."""
    pieces = ['{% set m = model("gpt2") %}' if random.random() < 0.5 else "text\n"]
    for _ in range(random.randrange(1, 5)):
        names = (words.key_name(random), *words.ROLE)
        value = random.choice(
            (f"m.{random.choice(names)}", "m.components.items()", "2 ** 8", "[1]")
        )
        filtered = f"{value} | {random.choice(words.FILTER_NAMES)}"
        forms = (
            f"{{{{ {filtered} }}}}",
            f"{{% if {value} > 3 %}}a{{% else %}}b{{% endif %}}",
            f"{{% for a, b in {value} if b %}}{{{{ loop.index }}}} {{{{ a }}}}\n{{% endfor %}}",
            f"{{{{ ({value} {random.choice(words.EXPRESSIONS)} {value}) }}}}",
        )
        pieces.append(random.choice(forms))
    return "".join(pieces)


def option(random: Random) -> str:
    """Options, one a line."""
    return words.options(random, compare=random.random() < 0.3)


def escapes(random: Random) -> str:
    """Any characters."""
    return "".join(chr(random.randrange(0x2100)) for _ in range(random.randrange(40)))


def file(random: Random) -> str:
    """A file's suffix, and below it the contents."""
    return f"{random.choice(('json', 'yaml'))}\n{body(random)}"


def _number(random: Random) -> str:
    count = random.randrange(3)
    return ":".join((figure_model(random), *random.choices((*words.ROLE, "hidden_dim"), k=count)))


DRAWS: dict[str, Draw] = {
    draw.__name__: draw
    for draw in (body, preset, directive, comparison, page, figure, template, option, escapes, file)
}
"""Functions that draw an input, by the target's name."""


def changed(text: str, target: str, random: Random) -> str:
    """The text, or rarely another one for the same target, with a few changes."""
    if random.random() < 0.1:
        text = DRAWS[target](random)
    for _ in range(random.randint(1, _MAX_CHANGES)):
        text = random.choice(_CHANGES)(text, target, random)
    return text


def _inserted(text: str, target: str, random: Random) -> str:
    """The text with a word inserted, or in place of some characters."""
    kinds = {"template": words.EXPRESSIONS, "figure": words.ROLE, "comparison": words.ROLE}
    word = random.choice((*kinds.get(target, words.ODD), random.choice(words.ODD)))
    at = random.randrange(len(text) + 1)
    return text[:at] + word + text[at + random.choice((0, 0, 1, len(word))) :]


def _with_line(text: str, target: str, random: Random) -> str:
    """The text with a line of another one, inserted or in place of a line."""
    lines, others = text.split("\n"), DRAWS[target](random).split("\n")
    at = random.randrange(len(lines))
    lines[at : at + random.randrange(2)] = [random.choice(others)]
    return "\n".join(lines)


def _spliced(text: str, target: str, random: Random) -> str:
    """The beginning of the text and the end of another one."""
    other = DRAWS[target](random)
    return text[: random.randrange(len(text) + 1)] + other[random.randrange(len(other) + 1) :]


def _repeated(text: str, target: str, random: Random) -> str:
    """The text with a few characters repeated or left as they are."""
    start = random.randrange(len(text) + 1)
    piece = text[start : start + random.randrange(12)]
    return text[:start] + piece * random.choice((0, 2, 3, 30)) + text[start:]


def _value_changed(text: str, target: str, random: Random) -> str:
    """The text with the value after the last colon replaced by an odd one."""
    head, colon, tail = text.rpartition(":")
    _, _, below = tail.partition("\n")
    return f"{head}{colon} {random.choice(words.ODD)}\n{below}" if colon else text


_CHANGES = (_inserted, _with_line, _spliced, _repeated, _value_changed)
