-- Judge runs by a boundary, in SQLite or DuckDB: first load what `goodarm boundary --sql` prints.
-- Then runs are rows of runs(question, run, passed): 1, 0, or null for a lost one; run is 1, 2, ...
-- in the order in which they were started.
WITH counted AS (
    SELECT question, run,
        SUM(CASE WHEN passed = 1 THEN 1 ELSE 0 END) OVER so_far AS passes,
        SUM(CASE WHEN passed = 0 THEN 1 ELSE 0 END) OVER so_far AS failures
    FROM runs
    WINDOW so_far AS (PARTITION BY question ORDER BY run ROWS UNBOUNDED PRECEDING)
), proven AS (
    SELECT counted.question, counted.run, passes, failures, boundary.rate,
        MAX(CASE WHEN label = 'good' THEN 1 ELSE 0 END) AS good,
        MAX(CASE WHEN label = 'bad' THEN 1 ELSE 0 END) AS bad
    FROM counted JOIN boundary ON counted.run BETWEEN first_run AND last_run
        AND scale * (CASE WHEN label = 'good' THEN passes ELSE failures END)
            > intercept + slope * counted.run
    GROUP BY counted.question, counted.run, passes, failures, boundary.rate
), earliest AS (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY question ORDER BY run) AS place FROM proven
)
SELECT all_runs.question,
    CASE WHEN good = 1 AND (bad = 0 OR passes >= rate * (passes + failures)) THEN 'good'
         WHEN bad = 1 THEN 'bad' ELSE 'undecided' END AS label,
    COALESCE(earliest.run, all_runs.last) AS runs
FROM (SELECT question, MAX(run) AS last FROM runs GROUP BY question) AS all_runs
LEFT JOIN earliest ON earliest.question = all_runs.question AND place = 1
ORDER BY all_runs.question;
