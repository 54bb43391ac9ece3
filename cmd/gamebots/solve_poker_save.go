package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"gamebots/bots/files"
	"gamebots/bots/spotstudy"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/resolve/spot"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
)

// loadSaved returns the spot of a file of --save, and the settings with which it was solved, which flags may change as
// far as they say how to go on. found is false for other files.
func (f *spotFlags) loadSaved(overrides []string) (settings configs.Spot, s *spot.Solution, found bool, err error) {
	if !files.IsStrategy(f.spot) {
		return settings, nil, false, nil
	}
	for _, x := range overrides {
		if key, _, _ := strings.Cut(x, "="); !strings.HasPrefix(key, "solve.") {
			err = usererr.Usagef("--%s cannot change the saved spot %s", flagOf(key), f.spot)
			return settings, nil, true, usererr.WithHint(err, "without --spot, all of another spot is given by flags")
		}
	}
	if len(f.locks) > 0 {
		return settings, nil, true, usererr.Usagef("--lock cannot change the saved spot %s", f.spot)
	}
	if s, err = spot.OpenSaved(f.spot, runtime.NumCPU(), f.memory.Or(memory.Available)); err != nil {
		if errors.As(err, new(*spot.StrategyError)) {
			err = usererr.WithHint(err, hintFrom)
		}
		return settings, nil, true, err
	}
	m := s.Meta()
	saved := []string{"solve.algorithm=" + m.Algorithm, fmt.Sprintf("solve.bits=%g", m.Params["bits"])}
	settings, err = configs.LoadSpot("", append(saved, overrides...), func(*configs.Spot) error { return nil })
	if err != nil {
		return settings, nil, true, errors.Join(f.flagError(err, overrides), s.Close())
	}
	return settings, s, true, nil
}

// printSaved prints a saved solution, if that has what the flags ask for.
func (f *spotFlags) printSaved(cmd *cobra.Command, s *spot.Solution, solve configs.SpotSolve) (done bool, err error) {
	evaluation := s.Evaluate()
	reached := evaluation.Exploitability() <= solve.Target/100*float64(s.Spot().Pot)
	switch {
	case !reached, cmd.Flags().Changed("iterations") && s.Meta().Iterations < solve.Iterations:
		return false, nil
	case f.save != "" && f.save != f.spot:
		return true, usererr.Usagef("--save %s: %s is solved as well as that already; copy it", f.save, f.spot)
	}
	r, err := spotstudy.NewReport(s, s.Meta().Iterations, f.at)
	if err != nil {
		return true, usererr.Usage(err)
	}
	return true, printSpot(cmd.OutOrStdout(), r, spotFormat{json: f.json})
}

// write writes what was found.
func (f *spotFlags) write(log *zerolog.Logger, solver *spot.Solver, exploitability float64) error {
	if f.save == "" {
		return nil
	}
	if err := solver.Save(f.save, exploitability); err != nil {
		return err
	}
	size := int64(0)
	if info, err := os.Stat(f.save); err == nil {
		size = info.Size()
	}
	log.Info().Str("file", f.save).Str("size", memory.Bytes(size)).Msg("saved")
	return nil
}

// hintFrom says how a trained strategy is a spot.
const hintFrom = "a trained strategy is for one --at and a --board, as in --spot holdem-nolimit-2p --at r300c/cc/ " +
	"--board Qs7h2c5d"

// start returns what a trained strategy that --spot names says of a spot, as settings.
func (f *spotFlags) start(cmd *cobra.Command) ([]string, error) {
	given := cmd.Flags().Changed
	trained := given("board") && files.IsStrategy(f.spot) && !spot.IsSaved(f.spot)
	if !trained && !slices.Contains(configs.Games(), f.spot) {
		return nil, nil
	}
	for _, flag := range []string{"pot", "stack", "range-oop", "range-ip"} {
		if given(flag) {
			return nil, usererr.Usagef("--%s cannot be combined with a strategy as --spot", flag)
		}
	}
	if !given("board") || !given("at") || len(f.at) > 1 {
		err := usererr.Usagef("--spot %s, a strategy, needs one --at and a --board", f.spot)
		return nil, usererr.WithHint(err, hintFrom)
	}
	board, err := spot.ParseBoard(cmd.Flags().Lookup("board").Value.String())
	if err != nil {
		return nil, usererr.Usage(err)
	}
	p, err := openPart(cmd, f.spot, nil, f.memory.Or(memory.Available))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	s, err := spotstudy.From(p, f.at[0], board)
	if errors.Is(err, spotstudy.ErrWithinRound) {
		err = usererr.WithHint(usererr.Usage(err), "as after --at r300c/, with the board of that round")
	}
	if err != nil {
		return nil, showError(err)
	}
	if s.Mapped > 0 {
		zerolog.Ctx(cmd.Context()).Warn().Int("raises", s.Mapped).
			Msg("raises that the strategy does not know are taken for others")
	}
	f.spot, f.at = "", []string{""}
	return []string{
		fmt.Sprintf("spot.pot=%d", s.Pot), fmt.Sprintf("spot.stack=%d", s.Stack),
		"ranges.oop=" + s.Ranges[0].String(), "ranges.ip=" + s.Ranges[1].String(),
	}, nil
}
