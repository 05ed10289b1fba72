// Judge runs by a boundary: node judge.js boundary.json < runs
// Runs are lines of 1 (passed), 0 (failed) or anything else (lost), in the order started.
import { readFileSync } from "node:fs";

// From here to the end of the function: the same text as `goodarm boundary --js` prints.
function judge(boundary, outcomes) {
  const byFailures = boundary.counts === "failures";
  const first = byFailures ? boundary.good_at : boundary.bad_at;
  const second = byFailures ? boundary.bad_until : boundary.good_until;
  const lines = boundary.lines;
  let passes = 0, failures = 0, lost = 0;
  for (const outcome of outcomes) {
    if (outcome === 1) passes++; else if (outcome === 0) failures++; else lost++;
    const n = passes + failures + lost;
    let good = false, bad = false;
    if (n <= (boundary.max_runs ?? 0)) {
      const count = byFailures ? failures : passes;
      const one = n >= (first[count + lost] ?? Infinity);
      const two = n <= (second[Math.min(count, second.length - 1)] ?? 0);
      [good, bad] = byFailures ? [one, two] : [two, one];
    } else if (lines && n <= lines.until) {
      good = lines.good.some(([a, b]) => lines.scale * passes > a + b * n);
      bad = lines.bad.some(([a, b]) => lines.scale * failures > a + b * n);
    }
    if (good && bad) good = passes >= boundary.rate * (passes + failures);
    if (good || bad) return { label: good ? "good" : "bad", runs: n };
  }
  return { label: "undecided", runs: passes + failures + lost };
}

const boundary = JSON.parse(readFileSync(process.argv[2], "utf8"));
const words = readFileSync(0, "utf8").split("\n").map((line) => line.trim()).filter(Boolean);
const { label, runs } = judge(boundary, words.map((word) => ({ 1: 1, 0: 0 })[word]));
console.log(label, runs);
