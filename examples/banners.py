"""Click rates of 50 banners: which are clicked at least twice in a hundred views?

The counts exist already, in ``data/banners.csv`` (made up): one call labels all banners.
"""

from pathlib import Path

import goodarm as ga
from goodarm.views.figures.arms import save_arms

COUNTS = Path(__file__).parent / "data" / "banners.csv"
COLUMNS = {"arm": "banner", "pulls": "views", "successes": "clicks"}

table = ga.check(COUNTS, threshold=0.02, delta=0.05, columns=COLUMNS)
print(table.summary)
print(table.notes[0])

print("\nbanner     label      interval          further views")
for label in ("good", "undecided", "bad"):
    for report in [table[position] for position in table.ranked(label)[:3]]:
        interval = f"{report.lower:.3%} to {report.upper:.3%}"
        print(f"{report.arm}  {label:9}  {interval}  {report.pulls_needed:13,}")

few_wrong = ga.check(COUNTS, threshold=0.02, delta=0.05, control="fdr", columns=COLUMNS)
print(f"\n{len(table.good)} good banners if no label may be wrong;")
print(f"{len(few_wrong.good)} if one wrong name in twenty is acceptable (control='fdr').")

save_arms(table, Path("example-banners.png"))
