"""Real Spark, in ``make test-all``, where the package can be installed and a Java is there."""

import numpy as np
import pytest

import goodarm as ga

pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="pyspark could not be installed")
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    yield session
    session.stop()


@pytest.mark.filterwarnings("ignore")
def test_spark_counts_as_the_plain_reader_does(spark):
    rows = [(f"arm {k % 4}", int(k * k % 7 < 4)) for k in range(500)]
    columns = {"arm": [arm for arm, _ in rows], "reward": [reward for _, reward in rows]}
    expected = {r.arm: r for r in ga.check(columns, threshold=0.5, delta=0.05, raw=True)}
    frame = spark.createDataFrame(rows, "variant string, converted int")
    found = ga.check(frame, threshold=0.5, delta=0.05, raw=True)
    assert {r.arm: r for r in found} == expected
    assert found.read_as == "read variant as arm, converted as reward"
    counts = frame.groupBy("variant").agg({"*": "count", "converted": "sum"})
    names = {"arm": "variant", "pulls": "count(1)", "successes": "sum(converted)"}
    assert {
        r.arm: r for r in ga.check(counts, threshold=0.5, delta=0.05, columns=names)
    } == expected
    with pytest.raises(ga.errors.SpecError, match="'converted' of the pyspark table, arm 'b'"):
        ga.check(
            spark.createDataFrame([("b", 2)], "variant string, converted int"),
            threshold=0.5,
            delta=0.05,
            raw=True,
        )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("thresholds", [0.5, {"few": 0.4, "many": 0.55, "some": 0.5}], ids=str)
def test_spark_bets_as_the_plain_reader_does(spark, thresholds):
    rng = np.random.default_rng(0)
    drawn = {"few": rng.integers(0, 5, 300) / 4, "many": rng.beta(6, 4, 400), "some": [0.1, 0.9]}
    rows = [(arm, float(value)) for arm, values in drawn.items() for value in values]
    asked = {"threshold": thresholds, "delta": 0.05, "raw": True, "rewards": "bounded"}
    expected = ga.check(drawn, **asked)
    found = ga.check(spark.createDataFrame(rows, "arm string, reward double"), **asked)
    assert found.arms == expected.arms
    for name in ("labels", "lower", "upper", "log_good", "log_bad"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), 1e-10)
