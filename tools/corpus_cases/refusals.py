"""``goodarm check``: tables and options that are refused, one fault each."""

from pathlib import Path

from corpus_cases.case import read_calls, slug_of
from corpus_cases.command_line import command
from corpus_cases.tables import AT, text_table

HEAD = "arm,pulls,successes\n"
TABLES = {
    "empty": "",
    "blank": "\n\n\n",
    "header-only": HEAD,
    "no-header": "a,50,40\nb,50,30\n",
    "no-arm": "pulls,successes\n50,40\n",
    "no-pulls": "arm,successes\na,40\n",
    "no-successes": "arm,pulls\na,50\n",
    "two-names-of-arm": "arm,variant,pulls,successes\na,b,50,40\n",
    "two-names-of-pulls": "arm,n,views,successes\na,50,60,40\n",
    "same-column-twice": "arm,pulls,pulls,successes\na,50,50,40\n",
    "text-for-pulls": HEAD + "a,many,40\n",
    "text-for-successes": HEAD + "a,50,some\n",
    "blank-pulls": HEAD + "a,,40\n",
    "blank-successes": HEAD + "a,50,\n",
    "blank-arm": HEAD + ",50,40\nb,50,40\n",
    "negative-pulls": HEAD + "a,-50,40\n",
    "negative-successes": HEAD + "a,50,-4\n",
    "fraction": HEAD + "a,50.5,40\n",
    "fraction-of-successes": HEAD + "a,50,40.5\n",
    "too-many-successes": HEAD + "a,50,60\n",
    "infinite": HEAD + "a,inf,40\n",
    "not-a-number": HEAD + "a,nan,40\n",
    "huge": HEAD + "a,99999999999999999999999,40\n",
    "hexadecimal": HEAD + "a,0x10,4\n",
    "underscores": HEAD + "a,1_000,400\n",
    "same-arm-twice": HEAD + "a,50,40\na,60,50\n",
    "same-arm-many-times": HEAD + "a,50,40\n" * 30,
    "alike-blanks": HEAD + "a,50,40\na ,60,50\n",
    "alike-invisible": HEAD + "a,50,40\na\u200b,60,50\n",
    "alike-accents": HEAD + "é,50,40\ne\u0301,60,50\n",
    "total-row": HEAD + "a,50,40\nb,60,50\nTotal,110,90\n",
    "sum-row": HEAD + "a,50,40\nb,60,50\nall of it,110,90\n",
    "short-row": HEAD + "a,50\n",
    "long-row": HEAD + "a,50,40,30\n",
    "many-faults": HEAD + "".join(f"a{k},x,{-k}\n" for k in range(30)),
    "open-quote": HEAD + '"a,50,40\n',
    "two-separators": "arm;pulls,successes\na;50,40\n",
    "ambiguous-thousands": "arm;pulls;rate\na;1.500;0.5\n",
    "ambiguous-rate": "arm,pulls,rate\na,1500,0.533\n",
    "rate-above-one": "arm,pulls,rate\na,50,1.5\n",
    "percent-above-hundred": "arm,pulls,rate\na,50,150%\n",
    "rate-impossible": "arm,pulls,rate\na,3,0.5\n",
    "mixed-percent": "arm,pulls,rate\na,50,50%\nb,50,0.5\n",
    "percent-counts": HEAD + "a,50%,40\n",
    "passed-without-failed": "arm,passed\na,40\n",
    "nul": HEAD + "a\0,50,40\n",
    "dates": HEAD + "a,2026-01-05,40\n",
    "json-list": "[1, 2]\n",
    "json-cut-off": '{"arm": "a", "pulls": 50, "succ\n',
    "json-numbers": '{"arm": "a", "pulls": "50", "successes": true}\n',
    "json-nested": '{"arm": {"name": "a"}, "pulls": 50, "successes": 40}\n',
    "json-key-twice": '{"arm": "a", "arm": "b", "pulls": 50, "successes": 40}\n',
    "json-missing-key": '{"arm": "a", "pulls": 50, "successes": 40}\n{"arm": "b", "pulls": 50}\n',
    "json-nan": '{"arm": "a", "pulls": NaN, "successes": 40}\n',
    "html": "<html><body>not found</body></html>\n",
}
RAW = {
    "no-reward": "arm\na\n",
    "counts": HEAD + "a,50,40\n",
    "not-0-or-1": "arm,reward\na,1\na,2\n",
    "halves": "arm,reward\na,0.5\n",
    "words": "arm,reward\na,maybe\n",
    "mixed-words": "arm,reward\na,pass\na,1\na,yes\n",
    "blank": "arm,reward\na,\n",
    "empty": "arm,reward\n",
    "repeated-case": "arm,reward,case\na,1,q1\na,0,q1\na,1,q2\n",
    "repeated-user": "arm,reward,user\na,1,u1\na,0,u1\na,1,u2\n",
    "two-rewards": "arm,reward,outcome\na,1,0\n",
    "infinite": "arm,reward\na,inf\n",
}
VALUES = {
    "no-count": "arm,value\na,1\n",
    "no-value": "arm,count\na,1\n",
    "negative-count": "arm,value,count\na,1,-4\n",
    "fraction": "arm,value,count\na,1,4.5\n",
    "value-twice": "arm,value,count\na,1,4\na,1,5\n",
    "not-0-or-1": "arm,value,count\na,3,4\n",
}
BOUNDED = {
    "sum-too-large": "arm,pulls,sum\na,10,60\n",
    "sum-too-small": "arm,pulls,sum\na,10,5\n",
    "no-sum": "arm,pulls\na,10\n",
    "successes": "arm,pulls,successes\na,10,5\n",
    "text": "arm,pulls,sum\na,10,x\n",
}
OPTIONS = ("", *read_calls("refused_check_options"))
FILES = ("none.csv", "folder", "none.xlsx", "fake.xlsx", "fake.parquet", "bytes.csv", "*.none", "")


def cases():
    """Yield all refusals of ``check`` on the command line."""
    for group, tables, more in (
        ("counts", TABLES, AT),
        ("raw", RAW, f"{AT} --raw"),
        ("values", VALUES, f"{AT} --values"),
        ("bounded", BOUNDED, "--threshold 3 --delta .05 --rewards bounded --low 1 --high 5"),
        ("gaussian", BOUNDED, "--threshold 3 --delta .05 --rewards gaussian --sigma 1"),
    ):
        for name, content in tables.items():
            file = f"{group}-{name}.csv"
            Path(file).write_bytes(content.encode())
            yield command(f"refusals/{group}/{name}", f"check {file} {more}")
    for name in ("two-names-of-arm", "no-header", "total-row", "json-list"):
        content = TABLES[name]
        yield command(f"refusals/stdin/{name}", f"check - {AT}", stdin=content)
        yield command(f"refusals/json/{name}", f"check - {AT} --json", stdin=content)
    for name in ("semicolons", "aliases", "blanks", "thousands"):
        content = {
            "semicolons": text_table(";"),
            "aliases": text_table(header=("variant", "n", "wins")),
            "blanks": text_table(" ,"),
            "thousands": "arm;pulls;successes\na;1.500;1.400\n",
        }[name]
        yield command(f"refusals/strict/{name}", f"check - {AT} --strict", stdin=content)
    Path("fine.csv").write_text(text_table())
    Path("more.csv").write_text(text_table())
    for options in OPTIONS:
        yield command(f"refusals/options/{slug_of(options, 90)}", f"check fine.csv {options}")
    Path("folder").mkdir()
    Path("fake.xlsx").write_text("no workbook")
    Path("fake.parquet").write_text("no table")
    Path("bytes.csv").write_bytes(b"arm,pulls,successes\n\xff\xfe\xfa,50,40\n")
    for file in FILES:
        yield command(f"refusals/files/{slug_of(file)}", ["check", file, *AT.split()])
    for width in (40, 80):
        call = f"check counts-many-faults.csv {AT}"
        yield command(f"refusals/width-{width}", call, width=width)
