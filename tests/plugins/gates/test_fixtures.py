"""Each repeat has fresh fixtures of its own scope; wider ones are set up once."""

from collections import Counter


def test_every_scope_is_set_up_and_torn_down_as_often_as_it_should(suite):
    suite.write(
        conftest="""
        def scoped(scope):
            @pytest.fixture(scope=scope, name=f"{scope}_wide")
            def fixture():
                note(f"+{scope}")
                yield
                note(f"-{scope}")
            return fixture

        a, b, c, d = map(scoped, ["session", "module", "class", "function"])
        """,
        test_a="""
        class TestA:
            @pytest.mark.goodarm(threshold=0.5)
            def test_gate(self, session_wide, module_wide, class_wide, function_wide):
                note("call")

            def test_beside(self, class_wide, function_wide):
                note("beside")

        def test_after(module_wide):
            note("after")
        """,
        test_b="""
        @pytest.mark.goodarm(threshold=0.5)
        def test_b(session_wide, module_wide, function_wide):
            note("other")
        """,
    )
    suite.run(passed=4)
    runs = 9  # all passing, at .5 and .05
    assert suite.notes == [
        *("+session", "+module", "+class"),
        *["+function", "call", "-function"] * runs,
        *("+function", "beside", "-function", "-class", "after", "-module", "+module"),
        *["+function", "other", "-function"] * runs,
        *("-module", "-session"),
    ]


def test_the_last_gate_of_a_module_ends_its_fixtures(suite):
    suite.write(
        test_a="""
        @pytest.fixture(scope="module", params=[1, 2])
        def wide(request):
            note(f"+{request.param}")
            yield request.param
            note(f"-{request.param}")

        @pytest.fixture
        def own(wide):
            note(f"own{wide}")
            return []

        @pytest.mark.goodarm(threshold=0.5)
        def test_a(own):
            assert own == []
            own.append(1)
        """
    )
    suite.run(passed=2)
    assert suite.notes == ["+1", *["own1"] * 9, "-1", "+2", *["own2"] * 9, "-2"]


def test_builtin_fixtures_are_fresh(suite):
    suite.write(
        test_a="""
        import os, warnings

        seen = set()

        @pytest.mark.goodarm(threshold=0.5)
        def test_a(tmp_path, monkeypatch, capsys, caplog, request, record_property, recwarn):
            assert tmp_path not in seen and not list(tmp_path.iterdir())
            seen.add(tmp_path)
            (tmp_path / "file").touch()
            assert "GATE" not in os.environ
            monkeypatch.setenv("GATE", "1")
            print("out")
            assert capsys.readouterr().out == "out\\n"
            import logging
            logging.warning("logged")
            assert len(caplog.records) == 1
            assert not recwarn.list
            warnings.warn("seen")
            request.addfinalizer(lambda: note("end"))
            record_property("own", "value")
        """
    )
    suite.run("--junitxml=report.xml", "-o", "junit_family=xunit1", passed=1)
    assert suite.notes == ["end"] * 9
    xml = (suite.pytester.path / "report.xml").read_text(encoding="utf-8")
    assert xml.count('name="own"') == 1


def test_classes_have_a_fresh_instance_for_each_run(suite):
    suite.write(
        test_a="""
        class TestA:
            def setup_class(cls):
                note("class")

            def setup_method(self):
                note("method")
                assert not hasattr(self, "state")
                self.state = []

            def teardown_method(self):
                note("end")

            @pytest.mark.goodarm(threshold=0.5)
            @pytest.mark.parametrize("value", [1, 2])
            def test_a(self, value):
                assert self.state == []
                self.state.append(value)
        """
    )
    suite.run(passed=2)
    assert Counter(suite.notes) == {"class": 1, "method": 18, "end": 18}


def test_unittest_classes(suite):
    suite.write(
        test_a="""
        import unittest

        flip = coin(0.5, 3)

        class TestA(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                note("class")

            def setUp(self):
                note("setUp")
                assert not hasattr(self, "state")
                self.state = 1

            def tearDown(self):
                note("tearDown")

            @pytest.mark.goodarm(threshold=0.5)
            def test_good(self):
                self.assertEqual(self.state, 1)

            @pytest.mark.goodarm(threshold=0.9)
            def test_bad(self):
                self.assertTrue(flip())

            @pytest.mark.goodarm(threshold=0.9)
            @unittest.skip("no")
            def test_skipped(self):
                note("never")

            def test_plain(self):
                pass
        """
    )
    gates = suite.gates(passed=2, failed=1, skipped=1)
    runs = sum(gate["pulls"] for gate in gates.values())
    assert gates["test_skipped"]["skipped"] == "no"
    assert Counter(suite.notes) == {"class": 1, "setUp": runs + 1, "tearDown": runs + 1}
    assert gates["test_bad"]["label"] == "bad"


def test_only_setting_up_runs_nothing(suite):
    suite.write(
        test_a="""
        @pytest.fixture
        def own():
            note("own")

        @pytest.mark.goodarm(threshold=0.5)
        def test_a(own):
            note("call")
        """
    )
    for option in ("--setup-only", "--setup-plan", "--collect-only"):
        result = suite.pytester.runpytest_inprocess(option, "-p", "no:randomly")
        assert result.ret == 0
        assert suite.notes == ["own"]
