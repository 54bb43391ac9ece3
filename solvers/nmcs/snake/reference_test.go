package snake

import (
	"context"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"gamebots/internal/testkit"
)

// factsRow is a row of means of levels 0, 1 and 2.
var factsRow = regexp.MustCompile(`(?m)^\| (\d+) \| ([\d.]+) ± ([\d.]+) \| ([\d.]+) ± ([\d.]+) \| ([\d.]+) ± ([\d.]+)`)

// TestReferenceMeans compares mean lengths with those of another program, within three
// standard errors of the difference.
func TestReferenceMeans(t *testing.T) {
	runs := [3]map[int]uint64{
		{8: 10000, 9: 5000, 10: 5000, 11: 2000},
		{8: 1000, 9: 500, 10: 200, 11: 50},
		{8: 50, 9: 20, 10: 4, 11: 2},
	}
	for _, file := range testkit.ReferenceFiles(t, "snake/FACTS.md") {
		facts, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows := factsRow.FindAllStringSubmatch(string(facts), -1)
		if len(rows) == 0 {
			t.Fatal("no means")
		}
		for _, row := range rows {
			d, _ := strconv.Atoi(row[1])
			for level := range 3 {
				want, _ := strconv.ParseFloat(row[2+2*level], 64)
				sigma, _ := strconv.ParseFloat(row[3+2*level], 64)
				var tally Tally
				s := Settings{Dimension: d, Level: level, Leaf: 1, Seed: 1}
				if err := Run(context.Background(), &tally, s, runs[level][d], 2, nil); err != nil {
					t.Fatal(err)
				}
				mean, stderr := tally.Mean()
				if math.Abs(mean-want) > 3*math.Hypot(sigma, stderr) {
					t.Errorf("dimension %d, level %d: mean %.2f ± %.2f, want %.2f ± %.2f", d, level, mean, stderr, want,
						sigma)
				}
				t.Logf("dimension %d, level %d: mean %.2f ± %.2f (%d runs), reference %.2f ± %.2f", d, level, mean,
					stderr, tally.Runs, want, sigma)
				if err := Check(Rules{Dimension: s.Dimension}, s.Sequence(tally.Best)); err != nil ||
					len(tally.Best.Moves) != tally.Best.Score {
					t.Error(err, tally.Best)
				}
			}
		}
	}
}
