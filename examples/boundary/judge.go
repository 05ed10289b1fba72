// go run judge.go boundary.json < runs (lines of 1, 0 or lost): judge runs by a boundary.
package main

import ("bufio"; "encoding/json"; "fmt"; "os"; "strings")

func above(lines [][2]int64, scale, hits, n int64) bool {
	for _, line := range lines {
		if scale*hits > line[0]+line[1]*n { return true }
	}
	return false
}

func main() {
	var b struct {
		Counts string; Rate float64; Max_runs int64; Good_at, Bad_until, Bad_at, Good_until []int64
		Lines *struct{ Until, Scale int64; Good, Bad [][2]int64 }
	}
	text, err := os.ReadFile(os.Args[1])
	if err == nil { err = json.Unmarshal(text, &b) }
	if err != nil { panic(err) }
	first, second, byFailures := append(b.Good_at, b.Bad_at...), append(b.Bad_until, b.Good_until...), b.Counts == "failures"
	var passes, failures, lost, n int64
	for runs := bufio.NewScanner(os.Stdin); runs.Scan(); {
		switch strings.TrimSpace(runs.Text()) { case "1": passes++; case "0": failures++; default: lost++ }
		n = passes + failures + lost
		good, bad, count := false, false, failures
		if !byFailures { count = passes }
		if n <= b.Max_runs {
			last := min(count, int64(len(second))-1)
			good = count+lost < int64(len(first)) && n >= first[count+lost]
			bad = last >= 0 && n <= second[last]
			if !byFailures { good, bad = bad, good }
		} else if b.Lines != nil && n <= b.Lines.Until {
			good, bad = above(b.Lines.Good, b.Lines.Scale, passes, n), above(b.Lines.Bad, b.Lines.Scale, failures, n)
		}
		if good && bad { good = float64(passes) >= b.Rate*float64(passes+failures) }
		if good { fmt.Println("good", n); return } else if bad { fmt.Println("bad", n); return }
	}
	fmt.Println("undecided", n)
}
