"""Languages: correct translations, translated pages, and catalogues of a project.

Missing translations fall back to English and do not fail a test: ``nox -s translations -- --check``
reports them.
"""

from __future__ import annotations

import pickle
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import write_mo
from catalogues import LOCALE, catalogue, is_translated, template
from families import DEFAULTS
from project import Build

from sphinx_llmsize import load, translation
from sphinx_llmsize.blocks import Formula, Table, Tex, Variable, cell
from sphinx_llmsize.formats import in_words
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.translation import ENGLISH, N_, Phrase, _, ngettext
from sphinx_llmsize.views import document
from sphinx_llmsize.views.author_labels import read_columns
from sphinx_llmsize.views.comparison.compared_rows import model_row
from sphinx_llmsize.views.comparison.comparison import comparison
from sphinx_llmsize.views.parameters.rule_view import rule
from sphinx_llmsize.views.shared.drawn_sentences import only_drawn
from sphinx_llmsize.views.shared.folding import column_with_unit, folding_row
from sphinx_llmsize.views.shared.layer_text import layers_text
from sphinx_llmsize.views.shared.model_titles import title
from sphinx_llmsize.views.shared.wording import filled, in_sentence, listed
from sphinx_llmsize.views.view_options import ViewOptions

LANGUAGES = ("de", "zh_CN")
PLACEHOLDER = re.compile(r"\{\w+\}")
NUMBER = re.compile(r"\d{1,3}(?:[,.]\d{3})+")
"""A number in groups of digits, with the separator of English or of German."""
MARKUP = re.compile(r"[\\$&#^~|<>`*\[\]{}]")
UNTRANSLATED_NAMES = {"kv", "qk", "qkv"}
"""Names of weights, which are not translated."""


def messages(language: str) -> list[Message]:
    """The translated messages of a language."""
    return [each for each in catalogue(language) if each.id and is_translated(each)]


def untranslated(language: str) -> list[Message]:
    """Messages of the source that are shown in English."""
    known = {(message.context, message.id) for message in messages(language)}
    return [each for each in template() if each.id and (each.context, each.id) not in known]


def forms(text: object) -> tuple[str, ...]:
    """A message's singular and plural."""
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile the current catalogues."""
    for language in LANGUAGES:
        file = LOCALE / language / "LC_MESSAGES" / "sphinx_llmsize.mo"
        with file.open("wb") as out:
            write_mo(out, catalogue(language))


@pytest.fixture
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """The language of the parameter, in use during a test without Sphinx."""
    import gettext

    gettext._translations.clear()  # type: ignore[attr-defined]
    translation.set_language(gettext.translation("sphinx_llmsize", LOCALE, [request.param]))
    yield request.param
    translation.set_language(ENGLISH)


@pytest.mark.parametrize(
    "pattern", [PLACEHOLDER, NUMBER, MARKUP], ids=["places", "numbers", "markup"]
)
@pytest.mark.parametrize("language_", [*LANGUAGES])
def test_translations_keep_placeholders(language_: str, pattern: re.Pattern[str]) -> None:
    def found_in(text: str) -> Counter[str]:
        return Counter(found.replace(".", ",") for found in pattern.findall(text))

    def differs(message: Message) -> bool:
        wanted = found_in(forms(message.id)[-1])
        if pattern is PLACEHOLDER:  # translations may repeat a symbol more or less often
            return any(set(found_in(form)) != set(wanted) for form in forms(message.string))
        return any(found_in(form) != wanted for form in forms(message.string))

    assert [message.id for message in messages(language_) if differs(message)] == []


def names_in(text: str) -> Iterator[str]:
    """Messages in the catalogue that translate a name."""
    if isinstance(text, Phrase):
        yield text.template
        for part in text.parts.values():
            if isinstance(part, str):
                yield from names_in(part)
    elif len(text) > 1 and not text.isdigit() and not text.startswith("λ"):
        yield text


def names_of(model: Model) -> Iterator[str]:
    """All names in a model's architecture."""
    architecture = model.architecture
    yield from model.notes
    yield from (symbol.meaning for symbol in architecture.sizes)
    yield from (symbol.meaning for symbol in architecture.activation_symbols)
    yield from (key.meaning for key, _value in model.config.settings)
    yield from (stack.label for stack in architecture.stacks())
    for placed in architecture.placed_stages():
        stage = placed.stage
        yield from (stage.label, stage.tied_to, stage.group.label)
        yield from (tensor.label for tensor in stage.tensors)
        yield from (matmul.label for matmul in stage.computes)


def test_every_name_of_every_model_is_marked_for_translation() -> None:
    known = {form for each in template() if each.id for form in forms(each.id)} | UNTRANSLATED_NAMES
    models = [load(name) for name in presets()] + [load(config) for config in DEFAULTS.values()]
    names = {name for model in models for text in names_of(model) for name in names_in(text)}
    assert len(names) > 400
    assert names - known - {model.class_name for model in models} == set()


PAGE = """
{views}

.. llm-compare:: llama-7b, gpt2, mixtral-8x7b
   :show: table, composition
   :columns: total, active, mlp:share, hidden_dim, kv_cache

.. llm-size:: deepseek-v3
   :show: scaling

.. llm-size:: gpt2
   :tokens: 100000
"""
MODEL_VIEWS = """
.. llm-size:: {model}
   :show: table, formula, diagram, shapes, compute, composition, memory
"""
SHOWN = ("gpt2", "deepseek-v3", "jamba-v0.1", "t5-small", "qwen3-next-80b-a3b")


def words_of(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w.:'])[a-z]{4,}(?![\w.:'(])", PLACEHOLDER.sub("", text)))


@pytest.mark.parametrize("language_", [*LANGUAGES])
def test_a_page_has_no_untranslated_word(language_: str, build: Build) -> None:
    views = "".join(MODEL_VIEWS.format(model=model) for model in SHOWN)
    project = build({"index.rst": PAGE.format(views=views)}, "text", language=language_)
    page = re.sub(r"\\?mathrm\{\w+\}|\\\w+|(GPT-2|T5) small", " ", project.output("index.txt"))
    found = messages(language_)
    kept = words_of(" ".join(form for message in found for form in forms(message.string)))
    english = words_of(" ".join(form for message in found for form in forms(message.id))) - kept
    english -= words_of(
        " ".join(form for each in untranslated(language_) for form in forms(each.id))
    )
    assert "hidden" in english
    assert words_of(page) & english == set()


def test_a_translated_page(build: Build) -> None:
    role = ":llm-size:`llama-7b:total:words`"
    page = f"{role}\n\n.. llm-size:: llama-7b\n   :show: table\n\n.. llm-size:: lama\n"
    german = build({"index.rst": page}, "text", language="de")
    assert "6,7 Milliarden" in german.output("index.txt")
    assert "LLaMA 7B: 6.738.415.616 " in german.output("index.txt")
    assert "unbekanntes Modell 'lama'" in german.log
    chinese = build({"index.rst": page}, "text", language="zh_CN")
    assert "67亿" in chinese.output("index.txt")
    assert "隐藏维度" in chinese.output("index.txt")
    english = build({"index.rst": page}, "text")
    assert "6.7 billion" in english.output("index.txt")
    assert "hidden dimension" in english.output("index.txt")
    assert "unknown model 'lama'" in english.log


@pytest.mark.parametrize("language", LANGUAGES, indirect=True)
def test_a_missing_translation_falls_back_to_english(language: str) -> None:
    assert _("no catalogue has this {thing}", thing="message") == "no catalogue has this message"
    assert ngettext("{number} such thing", "{number} such things", 2, number=2) == "2 such things"


def test_a_language_without_a_catalogue_is_english(build: Build) -> None:
    page = ".. llm-size:: gpt2\n   :show: table\n"
    assert "hidden dimension" in build({"index.rst": page}, "text", language="fr").output(
        "index.txt"
    )


OWN = """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "hidden dimension"
msgstr "Modellbreite"

msgid "{total} parameters"
msgstr "{modell}: {total} Parameter"
"""


def test_messages_of_the_project_take_precedence(build: Build) -> None:
    """A placeholder with a wrong name is shown unchanged."""
    files = {
        "index.rst": ".. llm-size:: llama-7b\n   :show: table\n",
        "words/de/LC_MESSAGES/sphinx_llmsize.po": OWN,
    }
    text = build(files, "text", language="de", locale_dirs=["words"]).output("index.txt")
    assert "4.096 Modellbreite" in text
    assert "{modell}: 6.738.415.616 Parameter" in text
    assert "Attention-Köpfe" in text


@pytest.mark.parametrize(
    ("language", "number", "text"),
    [
        ("de", 6_738_415_616, "6.7 Milliarden"),
        ("de", 671_026_404_352, "671 Milliarden"),
        ("de", 1_043_123_456_789, "1.0 Billionen"),
        ("zh_CN", 6_738_415_616, "67亿"),
        ("zh_CN", 774_030_080, "7.7亿"),
        ("zh_CN", 124_439_808, "1.2亿"),
        ("zh_CN", 66_362_880, "6636万"),
        ("zh_CN", 99_996_000, "1.0亿"),
        ("zh_CN", 1_043_123_456_789, "1.0万亿"),
        ("zh_CN", 768, "768"),
    ],
    indirect=["language"],
)
def test_units_of_numbers_by_language(language: str, number: int, text: str) -> None:
    assert in_words(number) == text


@pytest.mark.parametrize(
    ("language", "heading", "folded"),
    [
        ("de", "KV-Cache je Token, Byte", "KV-Cache je Token: 4.096 Byte"),
        ("zh_CN", "每词元 KV 缓存，字节", "每词元 KV 缓存：4.096 字节"),
    ],
    indirect=["language"],
)
def test_units_of_columns_follow_their_numbers(language: str, heading: str, folded: str) -> None:
    column = column_with_unit(_("KV cache per token"), _("bytes"))
    assert column.label == heading
    row = folding_row((replace(column, folds=True),), [cell("4.096")])
    (line,) = row.folded
    assert "".join(map(str, line)).replace("\N{NO-BREAK SPACE}", " ") == folded


@pytest.mark.parametrize("language", ["de"], indirect=True)
def test_titles_need_no_singular(language: str) -> None:
    assert title(load("llama-7b?num_kv_heads=1")).endswith(" auf 1 gesetzt)")


@pytest.mark.parametrize(
    ("language", "caption"),
    [("de", "Vergleich von fünf Sprachmodellen"), ("zh_CN", "比较：5 个语言模型")],
    indirect=["language"],
)
def test_captions_of_many_models(language: str, caption: str) -> None:
    rows = (model_row(load("gpt2")),) * 5
    table = comparison(rows, read_columns("total"))[0]
    assert isinstance(table, Table)
    assert table.title == caption


@pytest.mark.parametrize("language", ["de"], indirect=True)
def test_names_within_sentences_by_language(language: str) -> None:
    assert layers_text(1) == "× 1 Schicht"
    assert layers_text(58, _("MoE")) == "× 58 Schichten (MoE)"
    assert listed([("a",), ("b",), (Variable("c"),)]) == ("a, b und ", Variable("c"))
    assert in_sentence("Embedding") == "Einbettung"  # nouns keep their capital letter
    assert _(N_("{stage} ({part})", stage="Token embedding", part="encoder")) == (
        "Token-Einbettung (Encoder)"
    )
    assert ngettext("× {number} layer", "× {number} layers", 1, number=1) == "× 1 Schicht"


@pytest.mark.parametrize(
    ("language", "text"), [("de", "a. b. "), ("zh_CN", "a.b.")], indirect=["language"]
)
def test_sentences_on_drawings_have_the_spaces_of_the_language(language: str, text: str) -> None:
    (drawn,) = only_drawn([("a.",), (), ("b.",)])
    assert str(drawn) == text


def test_names_within_an_english_sentence_are_lower_case() -> None:
    assert in_sentence("Embedding") == "embedding"
    assert in_sentence("LM head") == "LM head"
    assert in_sentence("Laurel: down") == "Laurel: down"
    assert in_sentence("Mamba") == "Mamba"


def test_generated_names_of_groups_are_lower_case_within_sentences() -> None:
    def formula(options: ViewOptions) -> Tex:
        (block,) = (b for b in rule(load("llama-7b"), options) if isinstance(b, Formula))
        return block.lines[1]

    assert "{attention}" in str(formula(ViewOptions()))
    own = ViewOptions(labels=(("attention", "Self-Attention"),))
    assert "{Self-Attention}" in str(formula(own))


def test_placeholders_are_filled_with_inline_elements() -> None:
    line = filled("{T} × {T} of {what}", T=Variable("T"), what=("a", " b"))
    assert line == (Variable("T"), " × ", Variable("T"), " of a b")
    assert filled("{unknown} is left") == ("{unknown} is left",)


def test_phrases_can_be_pickled() -> None:
    phrase = N_("{kind} layers", kind="MoE")
    copy = pickle.loads(pickle.dumps(phrase))
    assert phrase == copy == "MoE layers"
    assert isinstance(copy, Phrase)
    assert copy.parts == {"kind": "MoE"}


def test_documents_are_cached_by_language() -> None:
    model, options = load("gpt2"), ViewOptions()
    english = document(model, ("table",), options)
    assert document(model, ("table",), options) is english
    translation.set_language(translation.NullTranslations())
    assert document(model, ("table",), options) is not english
    translation.set_language(ENGLISH)
    assert document(model, ("table",), options) is english
