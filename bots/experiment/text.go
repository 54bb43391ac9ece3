package experiment

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"gamebots/acpc/money"
)

// WriteText writes the last row of each series, and which files the folder has.
func (f *Folder) WriteText(w io.Writer, rows []Row) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	unit := " (mb)"
	if len(rows) > 0 && rows[0].Unit == "" {
		unit = ""
	}
	fmt.Fprintf(table,
		"game\talgorithm\titerations\truns\ts a run\texploitability%[1]s\tof the current strategy%[1]s\n", unit)
	for i, r := range rows {
		if i+1 < len(rows) && rows[i+1].Game == r.Game && rows[i+1].Algorithm == r.Algorithm {
			continue
		}
		current := "-"
		if r.Current != nil {
			current = meanText(*r.Current)
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%.3g\t%s\t%s\n",
			r.Game, r.Algorithm, r.Iterations, r.Runs, r.Seconds, meanText(r.Average), current)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "± is half of the 95%% interval of the mean over the seeds\nwritten to %s\n",
		filepath.Join(f.Path, "{"+strings.Join([]string{RunsFile, MeansFile, PlotFile}, ",")+"}"))
	return err
}

// meanText formats a mean of runs for people, with two digits of its interval.
func meanText(m Mean) string {
	if m.Interval95 == nil || !(*m.Interval95 > 0) {
		return fmt.Sprintf("%.4g", m.Mean)
	}
	decimals := max(0, 1-int(math.Floor(math.Log10(*m.Interval95))))
	return fmt.Sprintf("%.*f %s", decimals, m.Mean, money.PlusMinus(*m.Interval95, decimals))
}
