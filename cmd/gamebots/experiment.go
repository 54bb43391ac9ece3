package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"gamebots/bots/experiment"
	"gamebots/bots/grid"
	"gamebots/cmd/gamebots/internal/gridflags"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/chart"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"gonum.org/v1/plot"
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
	cmd := explain(&cobra.Command{
		Use:   "experiment CONFIG.toml",
		Short: "Compare training algorithms over many seeds",
		Args:  cli.Arguments(1, 1),
		RunE:  func(cmd *cobra.Command, args []string) error { return runExperiment(cmd, args[0], f) },
	}, "experiment")
	flags := cmd.Flags()
	cli.AddSet(flags, &f.set, "experiment.seeds=3 or training[1].iterations=1000")
	flags.StringVarP(&f.output, "output", "o", "",
		"folder of the results (default the name of the settings without .toml)")
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
	err := cli.Load(file, &settings, f.set, func() (err error) {
		plan, err = experiment.NewPlan(&settings)
		return err
	})
	if err != nil {
		return err
	}
	log := zerolog.Ctx(cmd.Context())
	folder := experiment.Folder{Path: cmp.Or(f.output, strings.TrimSuffix(filepath.Base(file), ".toml")),
		Version: cli.Build()}
	folder.Open = func(ctx context.Context) (grid.Grid, func() error, error) { return f.grid.Open(ctx, f.threads) }
	var bar *progress.Count
	folder.OnBegin = func(missing, others int) {
		if others > 0 {
			log.Warn().Int("trainings", others).Msg("done by another build, whose results may differ")
		}
		if missing > 0 {
			log.Info().Int("series", len(plan)).Int("trainings", missing).Str("folder", folder.Path).Msg("training")
		}
		bar = cli.NewCountBar(cmd.ErrOrStderr(), log, folder.Path, uint64(missing))
	}
	done := uint64(0)
	folder.OnDone = func() { done++; bar.Update(done) }
	rows, err := folder.Complete(cmd.Context(), plan)
	if bar != nil {
		bar.Close()
	}
	switch {
	case errors.As(err, new(*experiment.FolderError)):
		return usererr.WithHint(err, "give another folder with -o FOLDER")
	case err != nil && bar != nil:
		return usererr.WithHint(err, "finished trainings are stored; the same command continues")
	case err != nil:
		return err
	}
	switch err := plotExperiment(filepath.Join(folder.Path, experiment.PlotFile), rows); {
	case err != nil:
		return err
	case f.json:
		return cli.PrintLines(cmd.OutOrStdout(), rows)
	}
	return folder.WriteText(cmd.OutOrStdout(), rows)
}

// plotExperiment draws the curves of each game in a row.
func plotExperiment(file string, rows []experiment.Row) error {
	var charts [][]*plot.Plot
	for len(rows) > 0 {
		game, unit := rows[0].Game, rows[0].Unit
		var all []chart.Series
		for ; len(rows) > 0 && rows[0].Game == game; rows = rows[1:] {
			r := rows[0]
			if n := len(all); n == 0 || all[n-1].Name != r.Algorithm {
				all = append(all, chart.Series{Name: r.Algorithm})
			}
			p := chart.Progress{Iterations: float64(r.Iterations), Seconds: r.Seconds, Exploitability: r.Average.Mean}
			if r.Average.Interval95 != nil {
				p.Half = *r.Average.Interval95
			}
			s := &all[len(all)-1]
			s.Points = append(s.Points, p)
		}
		row, err := chart.NewTraining(game, unit, all...)
		if err != nil {
			return err
		}
		charts = append(charts, row)
	}
	return chart.DrawRows(file, charts...)
}
