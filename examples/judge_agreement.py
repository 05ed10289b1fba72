"""Is a judge right at least 85 % of the time? Compare it with people, answer by answer."""

import csv
from pathlib import Path

import goodarm as ga

LABELS = Path(__file__).parent / "data/judge_labels.csv"
JUDGES = ("strict", "polite")

with LABELS.open(encoding="utf-8") as file:
    answers = list(csv.DictReader(file))

rewards = [
    {
        "arm": f"{judge}, where people say {answer['human']}",
        "reward": answer[judge] == answer["human"],
    }
    for judge in JUDGES
    for answer in answers
]
for judge in JUDGES:
    agree = sum(answer[judge] == answer["human"] for answer in answers)
    print(f"{judge} agrees with people on {agree / len(answers):.0%} of {len(answers)} answers.")

print()
table = ga.check(rewards, threshold=0.85, raw=True)
for arm in table:
    low, high = arm.lower, arm.upper
    print(f"{arm.arm:34} {arm.label:10} {low:.2f} to {high:.2f}")
