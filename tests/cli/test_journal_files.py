"""``goodarm export`` and ``goodarm import``: a journal goes from store to store."""

import json

import goodarm as ga


def test_a_journal_goes_from_store_to_store(invoke, url, tmp_path):
    file, other = tmp_path / "banners.jsonl", f"sqlite:///{tmp_path / 'other.db'}"
    result = invoke(["export", url, "banners", file])
    assert (result.exit_code, result.stdout) == (0, f"Wrote {file}.\n")
    result = invoke(["import", other, file, "--name", "copy"])
    assert (result.exit_code, result.stdout[:18]) == (0, "copy: 81 entries, ")
    with ga.open_store(url) as first, ga.open_store(other) as second:
        banners, copy = first.experiment("banners"), second.experiment("copy")
        assert copy.journal() == banners.journal()
        assert copy.verify() == banners.verify()


def test_what_is_not_there_is_said(invoke, url, tmp_path):
    result = invoke(["export", url, "baners", tmp_path / "x.jsonl"])
    assert result.exit_code == 2
    assert "Did you mean 'banners'?" in result.stderr
    result = invoke(["import", url, tmp_path / "none.jsonl"])
    assert result.exit_code == 2
    assert "There is no file" in result.stderr
    result = invoke(["export", f"sqlite:///{tmp_path / 'none.db'}", "x", tmp_path / "x.jsonl"])
    assert result.exit_code == 2
    assert not list(tmp_path.glob("*.jsonl"))


def test_another_experiment_of_that_name_stays(invoke, url, tmp_path):
    file = tmp_path / "banners.jsonl"
    invoke(["export", url, "banners", file])
    with ga.open_store(f"sqlite:///{tmp_path / 'other.db'}") as store:
        store.experiment("banners", ga.Problem(2, 0.5, 0.05))
    result = invoke(["import", f"sqlite:///{tmp_path / 'other.db'}", file])
    assert (result.exit_code, "This store has another experiment" in result.stderr) == (2, True)


def test_a_forged_journal_is_refused_with_what_its_rewards_prove(invoke, url, tmp_path):
    file, other = tmp_path / "banners.jsonl", f"sqlite:///{tmp_path / 'other.db'}"
    invoke(["export", url, "banners", file])
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"label": 1', '"label": -1', 1), encoding="utf-8")
    result = invoke(["import", other, file])
    assert result.exit_code == 2, result.output
    said = " ".join(result.stderr.split())
    assert "'label' of arm 'red' is -1 (bad), and its rewards prove 1 (good)" in said
    assert "the first is entry" in said
    assert "Nothing was imported" in said
    with ga.open_store(other) as store:
        assert store.experiments() == []


def test_a_store_of_this_version_needs_no_upgrade_and_an_unchained_journal_gets_hashes(
    invoke, url, tmp_path
):
    result = invoke(["upgrade", url])
    assert (result.exit_code, result.stdout.split(":")[0]) == (0, "Nothing to do")
    file, other = tmp_path / "banners.jsonl", f"sqlite:///{tmp_path / 'other.db'}"
    invoke(["export", url, "banners", file])
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for line in lines:
        line.pop("hash")
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert invoke(["import", other, file]).exit_code == 0
    assert "The journal has no hashes" in invoke(["show", other, "banners"]).stdout
    assert "unchained" in invoke(["verify", other]).stdout
    result = invoke(["upgrade", other])
    assert (result.exit_code, result.stdout) == (0, "banners: added hashes to 81 entries.\n")
    with ga.open_store(other) as store:
        head = store.experiment("banners").head.hash
    assert f"Last hash of the journal, at entry 81: {head[:32]}" in " ".join(
        invoke(["show", other, "banners"]).stdout.split()
    )
    assert json.loads(invoke(["show", other, "banners", "--json"]).stdout)["head"] == head


def test_verify_compares_a_head_that_was_kept_elsewhere(invoke, url):
    with ga.open_store(url) as store:
        head = store.experiment("banners").head.hash
    result = invoke(["verify", url, "banners", "--head", head])
    assert result.exit_code == 0, result.output
    assert head[:12] in result.stdout
    result = invoke(["verify", url, "banners", "--head", "f" * 64])
    assert result.exit_code == 1
    assert "it was changed or cut" in " ".join(result.stdout.split())
    result = invoke(["verify", url, "--head", head])
    assert (result.exit_code, "Give the NAME of the experiment" in result.stderr) == (2, True)


def test_export_takes_its_file_as_out(invoke, url, tmp_path):
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    result = invoke(["export", url, "banners", "--out", new])
    assert (result.exit_code, result.stdout) == (0, f"Wrote {new}.\n")
    assert invoke(["export", url, "banners", old]).exit_code == 0  # as earlier versions had it
    assert old.read_bytes() == new.read_bytes()
    result = invoke(["export", url, "banners"])
    assert (result.exit_code, "--out must be given" in result.stderr) == (2, True)
    result = invoke(["export", url, "banners", tmp_path / "x", "--out", tmp_path / "y"])
    assert (result.exit_code, "--out must be the only file" in result.stderr) == (2, True)
    assert not (tmp_path / "x").exists()
    assert not (tmp_path / "y").exists()


def test_a_file_is_replaced_only_if_it_is_meant(invoke, url, tmp_path):
    file = tmp_path / "kept.jsonl"
    file.write_text("something else", encoding="utf-8")
    result = invoke(["export", url, "banners", "--out", file])
    assert result.exit_code == 2
    assert "To replace it, use --force." in result.stderr
    assert file.read_text(encoding="utf-8") == "something else"
    assert invoke(["export", url, "banners", "--out", file, "--force"]).exit_code == 0
    assert file.read_text(encoding="utf-8") != "something else"
