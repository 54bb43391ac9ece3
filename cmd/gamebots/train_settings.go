package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/chart"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"

	"github.com/spf13/pflag"
)

// usageOf marks errors in the description of a training as errors of the flag that
// described it.
func usageOf(err error) error {
	if e, ok := errors.AsType[*policy.SizeError](err); ok {
		return usererr.WithHint(err, fitHint(e))
	}
	if e, ok := errors.AsType[*train.Error](err); ok {
		return usererr.Usage(fmt.Errorf("--%s: %w", e.Field, err))
	}
	return err
}

// spec returns the training that the flags describe.
func (f *trainFlags) spec(flags *pflag.FlagSet, name string) (train.Spec, error) {
	game, err := configs.Game(name)
	if err != nil {
		return train.Spec{}, err
	}
	if err := f.check(flags); err != nil {
		return train.Spec{}, err
	}
	d := train.Description{Algorithm: f.algorithm, Cards: f.abstraction, OpponentCards: f.opponent, Seed: f.seed}
	if d.Actions, err = configs.Actions(f.actions); err != nil {
		return train.Spec{}, err
	}
	if d.OpponentActions, err = configs.Actions(f.opponentActions); err != nil {
		return train.Spec{}, &train.Error{Field: train.FieldOpponentActions, Err: err}
	}
	s, err := d.Spec(game)
	if err != nil {
		return s, err
	}
	if f.forgetful {
		s.Actions = s.Actions.Forgetful()
	}
	if f.algorithm == "" {
		s.Algorithm = train.DefaultAlgorithm(s.Cards, s.Actions)
	}
	if s.Algorithm.IsVector() && flags.Changed("seed") {
		return s, usererr.Usagef("--seed has no effect: %v makes no random choices", s.Algorithm)
	}
	if f.batch != 0 {
		if s.Algorithm, err = s.Algorithm.WithBatch(f.batch); err != nil {
			return s, err
		}
	}
	if f.storage == 16 {
		s.Algorithm, err = s.Algorithm.WithQuantized()
	}
	if f.algorithm == "" && f.batch == 0 && f.storage == 32 {
		s.Algorithm = train.Algorithm{} // that of the game
	}
	return s, err
}

// session returns the goals and the files that the flags describe.
func (f *trainFlags) session(g *acpc.Game) (o train.SessionOptions, err error) {
	if o.Goal, err = f.goal(g); err != nil {
		return o, err
	}
	if o.Schedule, err = checkpoint.ParseSchedule(f.checkpoint); err != nil {
		return o, usererr.Usage(fmt.Errorf("--checkpoint: %w", err))
	}
	f.output = cmp.Or(f.output, g.Name+".strategy")
	o.File, o.Limit, o.Current = f.output, f.time, f.curve != ""
	for _, file := range []struct{ path, flag string }{{f.output, "-o"}, {f.plot, "--plot"}, {f.curve, "--curve"}} {
		if file.path == "" {
			continue
		}
		if file.flag != "-o" && g.MaxBlind() == 0 {
			return o, usererr.Usagef("%s: its figures are in mb, and %s has no blinds", file.flag, g.Name)
		}
		if err := cli.Writable(file.path, file.flag); err != nil {
			return o, err
		}
	}
	return o, nil
}

// check refuses flags that make no sense in any game.
func (f trainFlags) check(flags *pflag.FlagSet) error {
	if err := cli.RefuseZero(flags, "iterations", "time", "batch", "start-iterations"); err != nil {
		return err
	}
	if f.start == "" && flags.Changed("start-iterations") {
		return usererr.Usagef("--start-iterations has no effect without --start")
	}
	switch {
	case f.noResponse && f.real:
		return usererr.Usagef("--no-response has no effect with --real, which learns none")
	case f.storage != 16 && f.storage != 32:
		return usererr.Usagef("--storage: %d is neither 16 nor 32", f.storage)
	}
	curve := curveFile{path: f.curve}
	if err := curve.check(); err != nil {
		return err
	}
	return chart.Drawable("--plot", f.plot)
}

// goal returns when to stop, but for the time.
func (f trainFlags) goal(g *acpc.Game) (train.Goal, error) {
	goal := train.Goal{Iterations: f.iterations}
	if f.time < 0 {
		return goal, usererr.Usagef("--time: %v is negative", f.time)
	}
	if f.target != "" {
		text, mb := strings.CutSuffix(f.target, "mb")
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(x > 0) {
			return goal, usererr.Usagef("--target: %q is not a positive number of chips, such as 0.001, or of mb, such as 5mb", f.target)
		}
		if mb && g.MaxBlind() == 0 {
			return goal, usererr.Usagef("--target: %s has no blinds, and so no mb: give chips, such as 0.001", g.Name)
		}
		if mb {
			x *= float64(g.MaxBlind()) / 1000
		}
		goal.Exploitability = x
	}
	if goal == (train.Goal{}) && f.time == 0 {
		goal.Iterations = defaultIterations
	}
	return goal, nil
}
