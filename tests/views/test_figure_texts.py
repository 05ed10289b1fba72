"""Users' words in pictures: plain text, shortened, in a font that has their letters."""

import warnings
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.text import Text

import goodarm as ga
from goodarm.views.figures import fonts, texts
from goodarm.views.figures.arms import draw_arms, save_arms
from goodarm.views.figures.fonts import Fonts, find_fonts
from goodarm.views.figures.texts import FigureTexts
from goodarm.views.names import printable

FORMULAS = ["$5 off", "$x^2$", "$a$$", r"\frac{1}{2}", "_hidden", "<b>&amp;</b>", "a\x00b\n\ufffe"]
UNKNOWN = "\U000f0000"
"""A character for private use, which fonts lack."""


def table_of(names):
    return ga.check({name: (50, 20 + k) for k, name in enumerate(names)}, threshold=0.5, delta=0.05)


def labels_of(figure):
    return [text.get_text() for text in figure.axes[0].get_yticklabels()]


@pytest.mark.parametrize("name", FORMULAS)
def test_names_are_never_formulas(name, tmp_path):
    with mpl.rc_context({"text.usetex": False}):
        figure = draw_arms(table_of([name, "other"]))
    texts = figure.axes[0].get_yticklabels()
    assert not any(text.get_parse_math() or text.get_usetex() for text in texts)
    for kind in ("png", "svg", "pdf"):
        save_arms(table_of([name]), tmp_path / f"p.{kind}")
    root = ElementTree.parse(tmp_path / "p.svg").getroot()
    shown = {element.text for element in root.iter() if element.tag.endswith("}text")}
    assert printable(name) in shown


def test_a_user_who_writes_in_tex_elsewhere_gets_plain_names():
    with mpl.rc_context({"text.usetex": True}):
        texts = draw_arms(table_of(FORMULAS)).axes[0].get_yticklabels()
    assert not any(text.get_usetex() for text in texts)


def test_long_names_that_are_alike_stay_apart():
    names = [f"tests/integration/test_login[chrome-{k:02}-in-a-long-tail]" for k in range(30)]
    shown = labels_of(draw_arms(table_of(names)))
    assert len(set(shown)) == 30
    assert max(map(len, shown)) <= texts.MAX_NAME_LENGTH
    assert all("…" in name for name in shown)


def test_a_legend_shows_names_that_begin_with_an_underscore():
    figure = Figure()
    axes = figure.add_subplot()
    names = ["_first", "$second$", "third"]
    entries = [(axes.plot([0, k])[0], name) for k, name in enumerate(names)]
    legend = FigureTexts(names).add_legend(axes.legend, entries)
    assert [text.get_text() for text in legend.get_texts()] == names
    assert not any(text.get_parse_math() for text in legend.get_texts())


def test_ordinary_names_need_no_font():
    assert find_fonts(["red", "größer", "café"]) == Fonts((), frozenset())
    assert "fontfamily" not in FigureTexts(["red"]).style


def test_the_installed_font_with_the_most_letters_is_taken(monkeypatch):
    has = {"usual": set("ab"), "one": set("中"), "two": set("中文"), "three": set("字")}
    monkeypatch.setattr(fonts, "_find_characters", lambda path, signs: signs & has[path])
    monkeypatch.setattr(font_manager, "findfont", lambda _: "usual")
    monkeypatch.setattr(fonts, "_list_known_fonts", lambda: [("One", "one"), ("Two", "two")])
    monkeypatch.setattr(fonts, "_find_new_fonts", lambda: [("Three", "three")])
    assert find_fonts(["ab"]) == Fonts((), frozenset())
    assert find_fonts(["a中文"]) == Fonts(("Two",), frozenset())
    assert find_fonts(["中文字?"]) == Fonts(("Two", "Three"), frozenset("?"))


def test_a_font_that_is_found_is_used_after_the_usual_one(monkeypatch):
    monkeypatch.setattr(texts, "find_fonts", lambda _: Fonts(("DejaVu Serif",), frozenset()))
    (text,) = draw_arms(table_of(["中"])).axes[0].get_yticklabels()
    assert text.get_fontfamily() == [*mpl.rcParams["font.family"], "DejaVu Serif"]


def test_fonts_are_searched_by_their_letters():
    usual = font_manager.findfont("DejaVu Sans")
    assert fonts._find_characters(usual, frozenset("aж中")) == frozenset("aж")
    assert fonts._find_characters(__file__, frozenset("a")) == frozenset()
    families = {family for family, _ in fonts._list_known_fonts()}
    assert "DejaVu Serif" in families
    assert not any(family.startswith("Last Resort") for family in families)


def test_a_font_installed_since_is_found(monkeypatch):
    path = font_manager.findfont("DejaVu Serif")
    kept = [entry for entry in font_manager.fontManager.ttflist if entry.fname != path]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", kept)
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [path, __file__])
    (found,) = fonts._find_new_fonts()
    assert found == ("DejaVu Serif", path)
    font_manager.fontManager._findfont_cached.cache_clear()


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_letters_that_no_font_has_are_one_warning(kind, monkeypatch, tmp_path):
    monkeypatch.setattr(texts, "find_fonts", lambda _: Fonts((), frozenset("中文字")))
    with pytest.warns(UserWarning, match="No installed font") as caught:
        save_arms(table_of(["中文", "字", "中"]), tmp_path / f"p.{kind}")
    (warning,) = caught
    assert "No installed font has the characters 中 字 文:" in str(warning.message)
    assert "Install a font" in str(warning.message)
    assert "Noto Sans CJK" in str(warning.message)


def test_a_warning_lists_a_few_characters(monkeypatch):
    signs = frozenset(map(chr, range(0x4E00, 0x4E00 + 25)))
    monkeypatch.setattr(texts, "find_fonts", lambda _: Fonts((), signs))
    with pytest.warns(UserWarning, match="and 15 more: pictures show boxes"):
        FigureTexts(["x"])


def test_a_warning_names_the_users_line(monkeypatch, tmp_path):
    monkeypatch.setattr(texts, "find_fonts", lambda _: Fonts((), frozenset("中")))
    import matplotlib.pyplot as plt

    table = table_of(["中"])
    for call in (table.plot, lambda: save_arms(table, tmp_path / "p.png")):
        with pytest.warns(UserWarning, match="No installed font") as caught:
            call()
        assert [warning.filename for warning in caught] == [__file__]
    plt.close("all")


def test_a_live_plot_warns_once_too_however_often_it_is_drawn(tmp_path):
    import matplotlib.pyplot as plt

    with pytest.warns(UserWarning, match="No installed font") as caught:
        axes = table_of([f"a{UNKNOWN}{UNKNOWN}", "b"]).plot()
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        axes.figure.savefig(tmp_path / "p.png")
        axes.figure.savefig(tmp_path / "p.png")
    assert "a□□" in [text.get_text() for text in axes.get_yticklabels()]
    plt.close(axes.figure)


def test_any_script_is_drawn_with_the_fonts_that_there_are(tmp_path):
    """With or without fonts for them: at most our one warning, and no crash."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        save_arms(table_of(["中文", "مرحبا", "😀", "हिन्दी", "👩\u200d💻"]), tmp_path / "p.png")
    assert len(caught) <= 1
    assert all("No installed font" in str(warning.message) for warning in caught)


def test_no_text_of_the_picture_is_read_as_a_formula():
    figure = draw_arms(table_of(["$a$"]))
    read = [
        text for text in figure.findobj(Text) if text.get_parse_math() and "$" in text.get_text()
    ]
    assert read == []
