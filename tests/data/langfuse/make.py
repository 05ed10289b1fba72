"""Write exports in Langfuse's documented forms: python make.py. No server was run.

``items.json`` is the answer of GET /api/public/experiment-items?fields=core,scores, with the fields
of ``ExperimentItem`` and ``ScoreV3`` in the Python SDK 5.0.4. ``scores.json`` is an export of the
table of scores, with the fields that
``worker/src/features/database-read-stream/getDatabaseReadStream.ts`` of langfuse/langfuse (commit
00385c56) writes.
"""

import json
import random
from pathlib import Path

HERE = Path(__file__).parent
TIME = "2026-11-16T22:{:02}:{:02}.000Z"
draw = random.Random(11)


def make_score(name, kind, value, source, number):
    return {
        "dataType": kind,
        "value": value,
        "id": f"score-{name}-{source.lower()}-{number}",
        "projectId": "project",
        "name": name,
        "source": source,
        "timestamp": TIME.format(30 + number // 60, number % 60),
        "environment": "sdk-experiment",
        "createdAt": TIME.format(30 + number // 60, number % 60),
        "updatedAt": TIME.format(30 + number // 60, number % 60),
        "comment": None,
        "configId": None,
    }


def make_items():
    """Two experiments on a dataset of six items; one item broke, and one has no score."""
    items = []
    for experiment, rate in (("prompt-a", 0.9), ("prompt-b", 0.4)):
        for case in range(6):
            number = len(items)
            is_broken = number == 4
            scores = [
                make_score("correct", "BOOLEAN", draw.random() < rate, "EVAL", number),
                make_score("tone", "NUMERIC", draw.randint(1, 5), "EVAL", number),
            ]
            items.append(
                {
                    "id": f"item-{number}",
                    "traceId": f"trace-{number}",
                    "startTime": TIME.format(0, number),
                    "endTime": TIME.format(1, number),
                    "level": "ERROR" if is_broken else "DEFAULT",
                    "environment": "sdk-experiment",
                    "experimentId": f"experiment-{experiment}",
                    "experimentName": experiment,
                    "experimentItemId": f"sum-{case}",
                    "scores": [] if is_broken or number == 9 else scores,
                }
            )
    return {"data": items, "meta": {"limit": 50, "cursor": None}}


def make_scores():
    """Scores of ten traces by a judge, and of four of them by a person."""
    rows = []
    for source, traces in (("EVAL", 10), ("ANNOTATION", 4)):
        for number in range(traces):
            value = int(draw.random() < 0.8)
            rows.append(
                {
                    "id": f"score-{source.lower()}-{number}",
                    "traceId": f"trace-{number}",
                    "sessionId": None,
                    "datasetRunId": None,
                    "timestamp": TIME.format(5, number),
                    "source": source,
                    "name": "helpful",
                    "dataType": "BOOLEAN",
                    "value": value,
                    "stringValue": "True" if value else "False",
                    "comment": None,
                    "metadata": {},
                    "observationId": None,
                    "traceName": "answer" if number % 2 else "summary",
                    "userId": f"user-{number}",
                    "traceTags": [],
                    "environment": "production",
                    "authorUserName": None if source == "EVAL" else "Kim",
                }
            )
    return rows


for name, found in (("items", make_items()), ("scores", make_scores())):
    (HERE / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
