package bench

import (
	"os"
	"path/filepath"
	"testing"
)

// What is measured in different units is not drawn into one chart.
func TestBenchCharts(t *testing.T) {
	rows := []Row{
		{Case: "a", X: 2, Metric: "time", Value: 5, Unit: "s", Device: "CPU", Threads: 1},
		{Case: "a", X: 1, Metric: "speedup", Value: 2, Unit: "x", Device: "CPU", Threads: 1},
		{Case: "a", X: 1, Metric: "time", Value: 4, Unit: "s", Device: "CPU", Threads: 1},
		{Case: "a", X: 2, Metric: "time", Value: 2, Unit: "s", Device: "CPU", Threads: 2},
		{Case: "b", X: 2, Metric: "time", Value: 2000, Unit: "s", Device: "CPU"},
		{Case: "b", X: 3, Metric: "time", Value: 2, Unit: "s", Device: "CPU"},
		{Case: "b", X: 4, Metric: "time", Value: 0, Unit: "s", Device: "CPU"},
	}
	charts := chartsOf(rows)
	if len(charts) != 3 || len(charts[0].curves) != 2 || len(charts[0].curves[0].Points) != 2 ||
		charts[1].unit != "speedup" || len(charts[2].curves[0].Points) != 2 {
		t.Errorf("charts %+v", charts)
	}
	if points := charts[0].curves[0].Points; points[0].X != 1 || points[1].X != 2 {
		t.Errorf("the line runs back: %v", points)
	}
	for _, test := range []struct {
		row              Row
		x, rest, measure string
	}{
		{Row{Bench: "grid", Case: "jobs of 1s, workers", Metric: "jobs", Unit: "/s"},
			"workers", "jobs of 1s", "jobs/s"},
		{Row{Bench: "nim", Case: "a, b, rows", Metric: "time", Unit: "s"}, "rows", "a, b", "time (s)"},
		{Row{Bench: "nash", Case: "Nguyen (2015), every pair", Metric: "found", Unit: "equilibria"},
			"strategies of a player", "Nguyen (2015), every pair", "found (equilibria)"},
		{Row{Case: "a", Metric: "speedup", Unit: "x"}, "", "a", "speedup"},
	} {
		if x, rest := test.row.against(); x != test.x || rest != test.rest || test.row.measured() != test.measure {
			t.Errorf("%+v: %s of %s against %s", test.row, test.row.measured(), rest, x)
		}
	}
	file := filepath.Join(t.TempDir(), "charts.png")
	if err := Plot(file, rows); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		t.Errorf("nothing was drawn: %v", err)
	}
}
