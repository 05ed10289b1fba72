"""``goodarm check`` on tables of every form, with every option, and seen at several widths."""

import json
import random
from pathlib import Path

from corpus_cases.command_line import command

ROWS = (
    *(("red", 500, 460), ("green", 500, 300), ("blue", 500, 410)),
    *(("dark grey", 1500, 1210), ("white", 12, 12), ("none yet", 0, 0)),
)
AT = "--threshold .8 --delta .05"
FORMATS = ("", "--json", "--csv")


def cases():
    """Yield all cases on tables that can be read, and some that turn out to be refused."""
    yield from _forms()
    yield from _rewards()
    yield from _options()
    yield from _views()
    yield from _pictures()


def text_table(sep=",", header=("arm", "pulls", "successes"), rows=ROWS, end="\n"):
    """Return a table as text."""
    return end.join(sep.join(map(str, row)) for row in (header, *rows)) + end


def _grouped(number, sign):
    return f"{number:,}".replace(",", sign)


def _write(name, content, encoding="utf-8"):
    data = content if isinstance(content, bytes) else content.encode(encoding)
    Path(name).write_bytes(data)


def _text_forms():
    """Yield name, content, encoding and further options of texts."""
    for name, sep in (("comma", ","), ("semicolon", ";"), ("tab", "\t"), ("bar", "|")):
        yield f"{name}.csv", text_table(sep), "utf-8", ""
        given = "tab" if sep == "\t" else sep
        yield f"{name}-said.csv", text_table(sep), "utf-8", f"--sep '{given}'"
    yield "tabs.tsv", text_table("\t"), "utf-8", ""
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        yield f"{encoding}.csv", text_table(), encoding, ""
    accents = text_table(rows=[("Grün", 500, 460), ("Ñandú", 500, 300)])
    yield "cp1252.csv", accents, "cp1252", "--encoding cp1252"
    yield "accents.csv", accents, "utf-8", ""
    yield "crlf.csv", text_table(end="\r\n"), "utf-8", ""
    yield "padded.csv", text_table(" , "), "utf-8", ""
    header = ("Variant", "Visits", "Conversions")
    for name, sign, sep in (("dot", ".", ";"), ("comma", ",", ";"), ("blank", " ", ";")):
        rows = [(arm, _grouped(n * 100, sign), _grouped(s * 100, sign)) for arm, n, s in ROWS]
        yield f"thousands-{name}.csv", text_table(sep, header, rows), "utf-8", ""
    quoted = [(f'"{arm}, or so"', n, s) for arm, n, s in ROWS]
    yield "quoted.csv", text_table(rows=quoted), "utf-8", ""
    failed = [(arm, s, n - s) for arm, n, s in ROWS]
    yield (
        "passed-failed.csv",
        text_table(header=("test", "passed", "failed"), rows=failed),
        "utf-8",
        "",
    )
    rates = [(arm, n, f"{s / n:.4f}") for arm, n, s in ROWS if n]
    yield "rates.csv", text_table(header=("model", "n", "accuracy"), rows=rates), "utf-8", ""
    percent = [(arm, n, f"{100 * s / n:.2f}%") for arm, n, s in ROWS if n]
    yield "percent.csv", text_table(header=("model", "n", "rate"), rows=percent), "utf-8", ""
    commas = [(arm, n, f"{s / n:.4f}".replace(".", ",")) for arm, n, s in ROWS if n]
    table = text_table(";", ("model", "n", "rate"), commas)
    yield "decimal-comma.csv", table, "utf-8", ""
    yield "decimal-comma-said.csv", table, "utf-8", "--decimal ,"
    yield "remarks.csv", "# made by hand\n# twice\n" + text_table(), "utf-8", ""
    yield "remarks-said.csv", "% made by hand\n" + text_table(), "utf-8", "--comment %"
    yield (
        "no-remarks.csv",
        text_table(rows=[("#1", 50, 40), ("#2", 50, 5)]),
        "utf-8",
        "--comment ''",
    )
    rule = "-----+-------+----------\n"
    sql = text_table("|").replace("\n", "\n" + rule, 1) + "(6 rows)\n"
    yield "sql-client.txt", sql, "utf-8", ""
    yield "blank-lines.csv", text_table(end="\n\n"), "utf-8", ""
    wide = [(arm, n, s, "x", 3.5) for arm, n, s in ROWS]
    header = ("arm", "pulls", "successes", "owner", "weight")
    yield "more-columns.csv", text_table(header=header, rows=wide), "utf-8", ""
    other = text_table(header=("page", "shown", "hit"))
    said = "--column arm=page --column pulls=shown --column successes=hit"
    yield "columns-said.csv", other, "utf-8", said
    twice = text_table(rows=[*ROWS, ("red", 100, 90)])
    yield "summed.csv", twice, "utf-8", "--sum"
    total = ("Total", sum(row[1] for row in ROWS), sum(row[2] for row in ROWS))
    yield "total-kept.csv", text_table(rows=[*ROWS, total]), "utf-8", "--keep-total"
    yield "strict.csv", text_table(), "utf-8", "--strict"
    names = [(f"=cmd|{k}", 40, 30 + k) for k in range(3)]
    yield "formulas.csv", text_table(rows=names), "utf-8", ""
    numbers = [(k, 400, 100 * k) for k in range(5)]
    yield "numbered.csv", text_table(rows=numbers), "utf-8", ""
    for name, row in (
        *(
            ("variation", ("Variation", "Users", "Clicks")),
            ("prompt", ("prompt", "runs", "correct")),
        ),
        *(("treatment", ("TREATMENT", "n", "wins")), ("option", ("option", "trials", "success"))),
        *(
            ("name", ("name", "attempts", "orders")),
            ("underscores", ("_arm", "pulls-", "SUCCESSES")),
        ),
    ):
        yield f"header-{name}.csv", text_table(header=row), "utf-8", ""
    objects = [{"arm": arm, "pulls": n, "successes": s} for arm, n, s in ROWS]
    lines = "".join(json.dumps(each) + "\n" for each in objects)
    yield "lines.jsonl", lines, "utf-8", ""
    yield "lines.ndjson", lines, "utf-8", ""
    yield "array.json", json.dumps(objects), "utf-8", ""
    yield "columns.json", json.dumps({"arm": ["a", "b"], "pulls": [9, 9]}), "utf-8", ""


def _raw_forms():
    luck = random.Random(3)
    means = {"red": 0.92, "green": 0.6, "blue": 0.82}
    rewards = [(arm, int(luck.random() < mean)) for arm, mean in means.items() for _ in range(300)]
    luck.shuffle(rewards)
    yield "raw.csv", text_table(header=("arm", "reward"), rows=rewards), "--raw"
    words = [(arm, "pass" if reward else "fail") for arm, reward in rewards]
    yield "raw-words.csv", text_table(header=("test", "outcome"), rows=words), "--raw"
    flags = [(arm, str(bool(reward)).lower()) for arm, reward in rewards]
    yield "raw-flags.csv", text_table(";", ("variant", "converted"), rows=flags), "--raw"
    cases = [(arm, reward, f"q{k}") for k, (arm, reward) in enumerate(rewards)]
    header = ("model", "correct", "question")
    yield "raw-cases.csv", text_table(header=header, rows=cases), "--raw"
    again = [(arm, reward, f"q{k % 40}") for k, (arm, reward) in enumerate(rewards)]
    table = text_table(header=header, rows=again)
    yield "raw-repeats.csv", table, "--raw"
    yield "raw-repeats-said.csv", table, "--raw --repeats attempts"
    lines = "".join(json.dumps({"arm": arm, "reward": reward}) + "\n" for arm, reward in rewards)
    yield "raw.jsonl", lines, "--raw"
    counted = [(arm, value, 40 * value + 50) for arm in means for value in (0, 1)]
    table = text_table(header=("arm", "value", "count"), rows=counted)
    yield "values.csv", table, "--values"


def _forms():
    for name, content, encoding, more in _text_forms():
        _write(name, content, encoding)
        for how in FORMATS:
            yield command(f"tables/forms/{name}{how}", f"check {name} {AT} {more} {how}")
    for name, content, more in _raw_forms():
        _write(name, content)
        for how in FORMATS:
            yield command(f"tables/raw/{name}{how}", f"check {name} {AT} {more} {how}")
    for name, content in (
        *(("counts", text_table()), ("semicolons", text_table(";"))),
        *(("lines", '{"arm": "a", "pulls": 50, "successes": 49}\n'), ("nothing", "")),
    ):
        for how in FORMATS:
            case = f"tables/stdin/{name}{how}"
            yield command(case, f"check - {AT} {how}", stdin=content)
    yield from _binary_forms()
    _write("again.csv", text_table())
    yield command("tables/again/written", f"check again.csv {AT} --csv")
    yield command("tables/again/read", f"check - {AT}", stdin=_printed_csv())


def _printed_csv():
    from corpus_cases.command_line import goodarm

    Path("printed.csv").write_text(text_table())
    return goodarm(["check", "printed.csv", *AT.split(), "--csv"])[1]


def _binary_forms():
    import openpyxl
    import pyarrow
    import pyarrow.parquet

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "counts"
    for row in (("arm", "pulls", "successes"), *ROWS):
        sheet.append(row)
    book.create_sheet("empty")
    book.save("one.xlsx")
    other = book.create_sheet("other")
    for row in (("variant", "views", "clicks"), ("a", 900, 850), ("b", 900, 20)):
        other.append(row)
    book.save("two.xlsx")
    columns = dict(zip(("arm", "pulls", "successes"), zip(*ROWS, strict=True), strict=True))
    table = pyarrow.table({name: list(column) for name, column in columns.items()})
    pyarrow.parquet.write_table(table, "counts.parquet")
    for how in FORMATS:
        yield command(f"tables/forms/one.xlsx{how}", f"check one.xlsx {AT} {how}")
        more = f"--sheet other {how}"
        yield command(f"tables/forms/two.xlsx{how}", f"check two.xlsx {AT} {more}")
        yield command(f"tables/forms/parquet{how}", f"check counts.parquet {AT} {how}")
    yield command("tables/forms/two.xlsx-unsaid", f"check two.xlsx {AT}")
    yield command("tables/forms/two.xlsx-none", f"check two.xlsx {AT} --sheet third")


def _rewards():
    """Yield rewards in a range, Gaussian ones, and pools."""
    sums = [("calm", 200, 731.0), ("loud", 200, 590.5), ("new", 5, 20)]
    _write("sums.csv", text_table(header=("arm", "pulls", "sum"), rows=sums))
    bounded = "--threshold 3.2 --delta .05 --rewards bounded --low 1 --high 5"
    luck = random.Random(5)
    ratings = [
        (arm, luck.choices((1, 2, 3, 4, 5), weights)[0])
        for arm, weights in {"calm": (1, 1, 3, 8, 7), "loud": (3, 4, 6, 2, 1)}.items()
        for _ in range(120)
    ]
    _write("ratings.csv", text_table(header=("arm", "rating"), rows=ratings))
    stars = [(arm, value, 10 + 12 * value) for arm in ("x", "y") for value in (1, 2, 3, 4, 5)]
    _write("stars.csv", text_table(header=("arm", "value", "count"), rows=stars))
    shares = [("a", round(luck.random() ** 0.3, 6)) for _ in range(150)]
    shares += [("b", round(luck.random() ** 3, 6)) for _ in range(150)]
    _write("shares.csv", text_table(header=("arm", "score"), rows=shares))
    normal = [
        (arm, round(luck.gauss(mean, 1.5), 4))
        for arm, mean in (("a", 2), ("b", 0))
        for _ in range(80)
    ]
    _write("normal.csv", text_table(header=("arm", "value"), rows=normal))
    _write(
        "normal-sums.csv",
        text_table(header=("arm", "n", "sum"), rows=[("a", 80, 170.5), ("b", 80, 1)]),
    )
    gaussian = "--threshold 1 --delta .05 --rewards gaussian"
    calls = {
        "bounded-sums": f"check sums.csv {bounded}",
        "bounded-raw": f"check ratings.csv {bounded} --raw",
        "bounded-values": f"check stars.csv {bounded} --values",
        "bounded-shares": "check shares.csv --threshold .5 --delta .05 --rewards bounded --raw",
        "gaussian-raw": f"check normal.csv {gaussian} --sigma 1.5 --raw",
        "gaussian-sums": f"check normal-sums.csv {gaussian} --sigma 1.5",
        "gaussian-wrong-sigma": f"check normal.csv {gaussian} --sigma .2 --raw",
        "gaussian-trusted": f"check normal.csv {gaussian} --sigma .2 --raw --trust-sigma",
        "pool": f"check pool.csv {AT} --pool 600",
        "pool-own-order": f"check pool.csv {AT} --pool 600 --case-order own",
        "pool-column": f"check pools.csv {AT} --pool-column cases",
        "pool-fdr": f"check pool.csv {AT} --pool 600 --control fdr",
        "pool-whole": f"check pool.csv {AT} --pool 500",
        "pool-bounded": f"check sums.csv {bounded} --pool 250",
        "pool-bounded-raw": f"check ratings.csv {bounded} --pool 150 --raw",
    }
    _write("pool.csv", text_table(rows=[("a", 500, 460), ("b", 480, 300), ("c", 100, 80)]))
    pools = [("a", 500, 460, 600), ("b", 480, 300, 500), ("c", 100, 80, 100)]
    _write("pools.csv", text_table(header=("arm", "pulls", "successes", "cases"), rows=pools))
    for name, call in calls.items():
        for how in FORMATS:
            yield command(f"tables/rewards/{name}{how}", f"{call} {how}")
    for rule in ("mixture", "betting", "half-normal", "hoeffding", "lil"):
        for name in ("bounded-sums", "bounded-raw", "gaussian-raw", "pool", "pool-bounded-raw"):
            call = f"{calls[name]} --rule {rule} --json"
            yield command(f"tables/rules/{name}-{rule}", call)


def _options():
    """Yield options of the question: control, rule, margin, gap, thresholds, arms planned."""
    _write("options.csv", text_table())
    own = [(*row, bar) for row, bar in zip(ROWS, (0.9, 0.5, 0.75, 0.8, 0.6, 0.5), strict=True)]
    _write("bars.csv", text_table(header=("arm", "pulls", "successes", "bar"), rows=own))
    for control in ("fwer", "fdr", "per-arm"):
        for rule in ("", "mixture", "betting", "half-normal", "hoeffding", "lil"):
            chosen = f"--rule {rule}" if rule else ""
            for more in ("", "--margin .02", "--gap .05", "--arms-planned 40"):
                name = "-".join(filter(None, (control, rule, more.strip("-").replace(" ", "-"))))
                call = f"check options.csv {AT} --control {control} {chosen} {more} --json"
                yield command(f"tables/options/{name}", call)
    for control in ("fwer", "fdr", "per-arm"):
        for how in FORMATS:
            call = f"check bars.csv --delta .05 --threshold-column bar --control {control} {how}"
            yield command(f"tables/bars/{control}{how}", call)
    for delta in ("1e-9", ".001", ".2", ".5"):
        for threshold in ("0", ".05", ".5", ".99", "1"):
            call = f"check options.csv --threshold {threshold} --delta {delta} --json"
            yield command(f"tables/levels/{threshold}-{delta}", call)
    for fail_on in ("bad", "undecided", "none", "bad,undecided"):
        for name in ("options.csv", "good.csv", "open.csv"):
            _write("good.csv", text_table(rows=[("a", 900, 890)]))
            _write("open.csv", text_table(rows=[("a", 900, 890), ("b", 10, 8)]))
            call = f"check {name} {AT} --fail-on {fail_on} --json"
            yield command(f"tables/gate/{name}-{fail_on.replace(',', '-')}", call)
    call = "check options.csv --threshold .8 --delta .7"
    yield command("tables/levels/large-delta", call)
    yield command("tables/levels/large-delta-allowed", f"{call} --allow-large-delta")


def _views():
    """Yield texts as a terminal shows them."""
    luck = random.Random(8)
    many = [(f"arm {k}", 300, luck.randrange(200, 301)) for k in range(70)]
    _write("many.csv", text_table(rows=many))
    long = [
        (f"tests/test_shop.py::test_pay[{k}-{'x' * 50}-{k % 3}]", 400, 300 + k) for k in range(8)
    ]
    _write("long.csv", text_table(rows=long))
    odd = [
        ("日本語の名前", 500, 460),
        ("up\x1b[31m", 500, 300),
        ("é́", 500, 410),
        ("[red]:smile:", 5, 4),
    ]
    _write("odd.csv", text_table(rows=odd))
    _write("few.csv", text_table())
    for width in (20, 40, 60, 72, 80, 100, 120, 200):
        for name in ("few", "many", "long", "odd"):
            yield command(f"tables/views/{name}-{width}", f"check {name}.csv {AT}", width=width)
    for sort in ("label", "arm", "pulls", "mean", "needed", "table"):
        for more in ("", "--only bad,undecided", "--all"):
            name = f"tables/views/{sort}{more.replace(' ', '')}"
            yield command(name, f"check many.csv {AT} --sort {sort} {more}", width=100)
    for only in ("good", "bad", "undecided"):
        yield command(f"tables/views/only-{only}", f"check few.csv {AT} --only {only}")
        yield command(f"tables/views/only-{only}-csv", f"check few.csv {AT} --only {only} --csv")
    yield command("tables/views/many-pipe", f"check many.csv {AT}")
    yield command("tables/views/odd-csv", f"check odd.csv {AT} --csv")
    yield command("tables/views/odd-json", f"check odd.csv {AT} --json")
    yield command("tables/views/csv-on-terminal", f"check few.csv {AT} --csv", width=80)


def _pictures():
    for name, more in (("few", ""), ("many", ""), ("bars", "")):
        bar = "--delta .05 --threshold-column bar" if name == "bars" else AT
        for kind in ("svg", "png"):
            file = f"{name}.{kind}"
            call = f"check {name}.csv {bar} {more} --plot {file}"
            yield command(f"tables/pictures/{file}", call, files=[file])
    yield command(
        "tables/pictures/json", f"check few.csv {AT} --json --plot j.svg", files=["j.svg"]
    )
