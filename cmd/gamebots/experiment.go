package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"gamebots/bots/experiment"
	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/atomicfile"
	"gamebots/internal/chart"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// The files in the folder of an experiment.
const (
	experimentRuns = "runs.jsonl"
	experimentCSV  = "curves.csv"
	experimentPlot = "curves.svg"
)

// experimentFlags are the flags of experiment.
type experimentFlags struct {
	set     []string
	output  string
	threads int
	grid    gridflags.Flags
	json    bool
}

func newExperiment() *cobra.Command {
	var f experimentFlags
	cmd := &cobra.Command{
		Use:   "experiment CONFIG.toml",
		Short: "Compare training algorithms over many seeds",
		Long: `experiment trains poker games by several algorithms, each with several seeds,
and evaluates the strategies exactly at several points of the training, at equal
ratios of iterations. configs/experiment.toml explains the settings.

It prints the last figures of each algorithm, with half of the 95% interval of
the mean over the seeds, and writes three files into a folder:
  ` + experimentRuns + `  the curve of each training in chips a hand, a JSON object a line
  ` + experimentCSV + `  the mean and its interval at each point, in mb a hand
  ` + experimentPlot + `  the same as a picture, by iterations and by seconds
The current strategy is that of the next iteration, the last iterate; the other
figures are of the average strategy.

Trainings run in parallel, each on one thread, and each is stored when it is
done. After an interruption the same command continues; after an extension of
the settings it runs only what is missing. No result is replaced.

With --nats other machines can share the work by gamebots work (docs/grid.md).

More: docs/training.md`,
		Example: `  gamebots experiment configs/experiment.toml
  gamebots experiment configs/experiment.toml --set experiment.seeds=30
  gamebots experiment mine.toml -o results/mine --nats embedded`,
		Args: cli.Arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runExperiment(cmd, args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.set, "set", nil, "set one key of the settings by `KEY=VALUE`, as in experiment.seeds=3 or training[1].iterations=1000 (may be repeated)")
	flags.StringVarP(&f.output, "output", "o", "", "folder of the results (default the name of the settings without .toml)")
	cli.AddThreads(flags, &f.threads, "trainings at a time")
	f.grid.Add(flags)
	flags.BoolVar(&f.json, "json", false, "print all means as JSON, one object a line")
	return cmd
}

func runExperiment(cmd *cobra.Command, file string, f experimentFlags) error {
	if err := f.grid.Check(); err != nil {
		return err
	}
	settings, plan := configs.DefaultExperiment(), experiment.Plan{}
	err := configs.Load(file, &settings, f.set, func() (err error) {
		plan, err = experiment.NewPlan(&settings)
		return err
	})
	if e := (*configs.Error)(nil); errors.As(err, &e) && e.File == configs.CommandLine {
		err = usererr.Usage(err)
	}
	if err != nil {
		return err
	}
	if err := plan.Check(); err != nil {
		return err
	}
	folder := cmp.Or(f.output, strings.TrimSuffix(filepath.Base(file), ".toml"))
	results, release, err := openExperiment(folder)
	if err != nil {
		return err
	}
	defer release()
	ctx, log := cmd.Context(), zerolog.Ctx(cmd.Context())
	if n := results.OtherVersions(plan); n > 0 {
		log.Warn().Int("trainings", n).Msg("done by another build, whose results may differ")
	}
	if missing := len(results.Missing(plan)); missing > 0 {
		log.Info().Int("series", len(plan)).Int("trainings", missing).Str("folder", folder).Msg("training")
		grid, end, err := f.grid.Open(ctx, f.threads)
		if err != nil {
			return err
		}
		bar, done := cli.NewCountBar(cmd.ErrOrStderr(), log, folder, uint64(missing)), uint64(0)
		err = errors.Join(results.Complete(ctx, grid, plan, func() { done++; bar.Update(done) }), end())
		bar.Close()
		if err != nil {
			return usererr.WithHint(err, "finished trainings are stored; the same command continues")
		}
	}
	rows := results.Summarize(plan)
	if err := saveExperiment(folder, rows); err != nil {
		return err
	}
	return printExperiment(cmd.OutOrStdout(), folder, rows, f.json)
}

// openExperiment opens the results in a folder, which it makes if it is not there. It refuses
// the folder of anything else.
func openExperiment(folder string) (results *experiment.Results, release func(), err error) {
	path := filepath.Join(folder, experimentRuns)
	if files, err := os.ReadDir(folder); err == nil && len(files) > 0 {
		if _, err := os.Stat(path); err != nil {
			return nil, nil, usererr.WithHint(fmt.Errorf("the folder %s has files, and none of an experiment", folder), "give another folder with -o FOLDER")
		}
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, nil, usererr.WithHint(err, "give another folder with -o FOLDER")
	}
	unlock, err := cli.Hold(path, "-o")
	if err != nil {
		return nil, nil, err
	}
	results, err = experiment.Open(path, cli.Build())
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return results, func() { results.Close(); unlock() }, nil
}

// saveExperiment writes the means as a table and as a picture.
func saveExperiment(folder string, rows []experiment.Row) error {
	var text bytes.Buffer
	if err := experiment.WriteCSV(&text, rows); err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(folder, experimentCSV), text.Bytes()); err != nil {
		return err
	}
	var charts [][]*plot.Plot // by game
	for len(rows) > 0 {
		game := rows[0].Game
		n := slices.IndexFunc(rows, func(r experiment.Row) bool { return r.Game != game })
		if n < 0 {
			n = len(rows)
		}
		byIterations, err := experimentChart(rows[:n], "iterations", func(r experiment.Row) float64 { return float64(r.Iterations) })
		if err != nil {
			return err
		}
		byTime, err := experimentChart(rows[:n], "seconds", func(r experiment.Row) float64 { return r.Seconds })
		if err != nil {
			return err
		}
		charts, rows = append(charts, []*plot.Plot{byIterations, byTime}), rows[n:]
	}
	return chart.DrawRows(filepath.Join(folder, experimentPlot), charts...)
}

// experimentChart draws the curves of a game against a quantity.
func experimentChart(rows []experiment.Row, against string, x func(experiment.Row) float64) (*plot.Plot, error) {
	var curves []chart.Curve
	for i, r := range rows {
		if i == 0 || rows[i-1].Algorithm != r.Algorithm {
			curves = append(curves, chart.Curve{Name: r.Algorithm})
		}
		if !(r.Average.Mean > 0 && x(r) > 0) { // the scales are logarithmic
			continue
		}
		half := 0.0
		if r.Average.Interval95 != nil {
			half = *r.Average.Interval95
		}
		c := &curves[len(curves)-1]
		c.Points, c.Halves = append(c.Points, plotter.XY{X: x(r), Y: r.Average.Mean}), append(c.Halves, half)
	}
	curves = slices.DeleteFunc(curves, func(c chart.Curve) bool { return len(c.Points) == 0 })
	return chart.New(rows[0].Game, against, curves...)
}

// printExperiment prints the last row of each series, or all rows as JSON.
func printExperiment(w io.Writer, folder string, rows []experiment.Row, asJSON bool) error {
	if asJSON {
		lines := json.NewEncoder(w)
		for _, r := range rows {
			if err := lines.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "game\talgorithm\titerations\truns\ts a run\texploitability (mb)\tof the current strategy (mb)")
	for i, r := range rows {
		if i+1 < len(rows) && rows[i+1].Game == r.Game && rows[i+1].Algorithm == r.Algorithm {
			continue
		}
		current := "-"
		if r.Current != nil {
			current = meanText(*r.Current)
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%.3g\t%s\t%s\n", r.Game, r.Algorithm, r.Iterations, r.Runs, r.Seconds, meanText(r.Average), current)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "± is half of the 95%% interval of the mean over the seeds\nwritten to %s\n",
		filepath.Join(folder, "{"+strings.Join([]string{experimentRuns, experimentCSV, experimentPlot}, ",")+"}"))
	return err
}

// meanText formats a mean of runs for people, with two digits of its interval.
func meanText(m experiment.Mean) string {
	if m.Interval95 == nil || !(*m.Interval95 > 0) {
		return fmt.Sprintf("%.4g", m.Mean)
	}
	decimals := max(0, 1-int(math.Floor(math.Log10(*m.Interval95))))
	return fmt.Sprintf("%.*f %s", decimals, m.Mean, figures.PlusMinus(*m.Interval95, decimals))
}
