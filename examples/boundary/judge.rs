// Judge runs (lines of 1, 0 or lost): rustc -O judge.rs && ./judge boundary.json < runs
use std::{env, fs, io};

fn after<'a>(text: &'a str, key: &str) -> &'a str {
    text.split_once(&format!("\"{key}\":")).map_or("", |(_, rest)| rest)
}

fn numbers(text: &str, end: &str) -> Vec<i64> {
    let list = text.split(end).next().unwrap_or("");
    list.split(|c: char| !c.is_ascii_digit() && c != '-').filter_map(|word| word.parse().ok()).collect()
}

fn main() {
    let mut text = fs::read_to_string(env::args().nth(1).expect("a file")).expect("a file to read");
    text.retain(|c| !c.is_whitespace());
    let by_failures = after(&text, "counts").starts_with("\"failures\"");
    let (at, until) = if by_failures { ("good_at", "bad_until") } else { ("bad_at", "good_until") };
    let (first, second) = (numbers(after(&text, at), "]"), numbers(after(&text, until), "]"));
    let rate: f64 = after(&text, "rate").split(',').next().unwrap().parse().expect("a rate");
    let one = |text: &str, key: &str| numbers(after(text, key), ",").first().copied().unwrap_or(0);
    let (cap, lines) = (one(&text, "max_runs"), after(&text, "lines"));
    let (last, scale) = (one(lines, "until"), one(lines, "scale"));
    let (up, down) = (numbers(after(lines, "good"), "]]"), numbers(after(lines, "bad"), "]]"));
    let (mut passes, mut failures, mut n) = (0i64, 0i64, 0i64);
    for run in io::stdin().lines() {
        match run.unwrap().trim() { "1" => passes += 1, "0" => failures += 1, _ => {} }
        n += 1;
        let above = |lines: &[i64], hits| lines.chunks(2).any(|l| scale * hits > l[0] + l[1] * n);
        let (mut good, mut bad) = (n <= last && above(&up, passes), n <= last && above(&down, failures));
        if n <= cap {
            let (counted, other) = if by_failures { (failures, passes) } else { (passes, failures) };
            good = first.get((n - other) as usize).is_some_and(|run| n >= *run);
            bad = second.get((counted as usize).min(second.len().saturating_sub(1))).is_some_and(|run| n <= *run);
            if !by_failures { (good, bad) = (bad, good) }
        }
        good &= !bad || passes as f64 >= rate * (passes + failures) as f64;
        if good || bad { return println!("{} {n}", if good { "good" } else { "bad" }) }
    }
    println!("undecided {n}");
}
