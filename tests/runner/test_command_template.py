"""Names of arms in commands are data: no shell reads them, whatever stands in them."""

import json
import subprocess

import pytest

from goodarm.errors import SpecError
from goodarm.runner.command_template import check_word, fill_shell_text, fill_word

ARM = frozenset({"arm", "pull"})
EVIL = [
    "a; touch FOUND",
    "$(touch FOUND)",
    "`touch FOUND`",
    "${IFS}$HOME",
    "a' ; touch FOUND; '",
    'a" ; touch FOUND; "',
    "two\nlines\n",
    "-rf",
    "--help",
    "* ? [a-z] ~",
    "  blanks  ",
    "back\\slash \\n",
    "naïve 中文 🙂",
    "a|b&c>FOUND<d#e",
    "{pull} {{arm}} {unknown}",
    "!event",
    "",
]
PLACES = [
    ("printf %s {arm}", "{}"),
    ("printf %s x{arm}y", "x{}y"),
    ('printf %s "{arm}"', "{}"),
    ('printf %s "x {arm} y"', "x {} y"),
    ("printf %s \"$(printf %s {arm}; printf '.')\"", "{}."),
    ('printf %s "$(printf %s "{arm}"; printf .)"', "{}."),
    ("printf %s 'a'{arm}'b'", "a{}b"),
    ("# it's a comment\nprintf %s {arm}", "{}"),
    ("(printf %s {arm})", "{}"),
    ("{ printf %s {arm}; }", "{}"),
    ("printf %s \\'{arm}", "'{}"),
    ('printf %s "\\"{arm}"', '"{}'),
    ('x={arm}; printf %s "${x}"', "{}"),
    ("case {arm} in *) printf %s {arm};; esac", "{}"),
    ("printf %s {arm} | cat", "{}"),
    ('printf %s "${GOODARM_ARM}"', "{}"),
    ("printf '%s{{arm}}' {arm}", "{}{{arm}}"),
    ("printf '%s${x}' {arm}", "{}${{x}}"),
]


@pytest.mark.parametrize(("text", "shown"), PLACES)
def test_what_a_shell_makes_of_it(text, shown, tmp_path):
    for arm in EVIL:
        done = subprocess.run(
            ["sh", "-c", fill_shell_text(text, ARM)],
            env={"GOODARM_ARM": arm, "PATH": "/usr/bin:/bin"},
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        assert done.stdout.decode() == shown.format(arm), done.args
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arm", EVIL)
@pytest.mark.parametrize("form", ["text", "words"])
def test_a_run_hands_it_over_as_it_is(run, arm, form, tmp_path):
    """From the file to the program, by both roads; the program writes down what it got."""
    program = (
        "import os, sys; open('got', 'w').write(sys.argv[1] + '|' + os.environ['GOODARM_ARM'])"
    )
    (tmp_path / "got.py").write_text(program, encoding="utf-8")
    words = '["{python}", "-X", "utf8", "got.py", "{arm}"]'
    command = words if form == "words" else json.dumps("{python} -X utf8 got.py {arm}")
    run([arm], f"command = {command}", max_pulls=1)
    assert (tmp_path / "got").read_bytes().decode() == f"{arm}|{arm}"
    assert not (tmp_path / "FOUND").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("echo '{arm}'", "{arm} within single quotes"),
        ("echo `echo {arm}`", "{arm} within backticks"),
        ("echo $(( {arm} + 1 ))", "{arm} within arithmetic"),
        ("(( {arm} ))", "{arm} within arithmetic"),
        ("echo ${x:-{arm}}", "{arm} within ${...}"),
        ("cat <<E\n{arm}\nE", "{arm} within or after a here-document"),
        ("echo $'\\'' {arm}", "within or after $'...'"),
        ("echo ${arm}", "has ${arm}, a shell variable that nobody has set"),
        ("echo {arms}", "is unknown; known are {arm}, {pull}. Did you mean {arm}?"),
        ("echo {x}", "For literal braces write {{x}}."),
        ("echo {case}", "has {case}, but there are no cases. Add 'cases' at the top of the file"),
    ],
)
def test_where_it_cannot_be_put(text, message):
    with pytest.raises(SpecError) as refused:
        fill_shell_text(text, ARM)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "awk '{print $1}' x",
        "echo ${HOME:-none} $((1 + 2)) `date`",
        "f() { true; }; f",
        "cat <<E\nx\nE",
        "echo {a,b} {1..3} {}",
        "docker ps --format '{{.Names}}'",
        'echo "$(echo "${x#\'}\'}")"',
    ],
)
def test_the_shells_own_braces_are_left_alone(text):
    assert fill_shell_text(text, ARM) == text


def test_words():
    values = {"arm": "a b", "pull": "3"}
    assert fill_word("{arm}-{pull} {{arm}} ${arm} {}", values) == "a b-3 {arm} $a b {}"
    with pytest.raises(SpecError, match="{armm}, which is unknown"):
        check_word("{armm}", ARM)
