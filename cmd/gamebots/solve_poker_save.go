package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"gamebots/bots/files"
	"gamebots/bots/spots"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/checkpoint"
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
		if !strings.HasPrefix(x, "solve.") {
			for _, k := range spotKeys {
				if strings.HasPrefix(x, k.key+"=") {
					err = usererr.Usagef("--%s cannot change the saved spot %s", k.flag, f.spot)
				}
			}
			return settings, nil, true, usererr.WithHint(err, "without --spot, all of another spot is given by flags")
		}
	}
	if len(f.locks) > 0 {
		return settings, nil, true, usererr.Usagef("--lock cannot change the saved spot %s", f.spot)
	}
	if s, err = spot.OpenSaved(f.spot, runtime.NumCPU(), f.memory.Or(memory.Available)); err != nil {
		return settings, nil, true, err
	}
	m := s.Meta()
	saved := []string{"solve.algorithm=" + m.Algorithm, fmt.Sprintf("solve.bits=%g", m.Params["bits"])}
	settings, err = configs.LoadSpot("", append(saved, overrides...), func(*configs.Spot) error { return nil })
	return settings, s, true, err
}

// printSaved prints a saved solution, if that has what the flags ask for.
func (f *spotFlags) printSaved(cmd *cobra.Command, s *spot.Solution, solve configs.SpotSolve) (done bool, err error) {
	evaluation := s.Evaluate()
	reached := evaluation.Exploitability() <= solve.Target/100*float64(s.Spot().Pot)
	if !reached || cmd.Flags().Changed("iterations") && s.Meta().Iterations < solve.Iterations {
		return false, nil
	}
	r, err := spots.NewReport(s, s.Meta().Iterations, f.at)
	if err != nil {
		return true, usererr.Usage(err)
	}
	return true, printSpot(cmd.OutOrStdout(), r, f.spotFormat)
}

// checkpointExtension is that of the checkpoint beside the file of a spot.
const checkpointExtension = ".checkpoint"

// beside returns the checkpoint to go on from, "" if there is none.
func (f *spotFlags) beside() string {
	for _, file := range []string{f.save, f.spot} {
		if _, err := os.Stat(file + checkpointExtension); file != "" && err == nil && !f.force {
			return file + checkpointExtension
		}
	}
	return ""
}

// checkSave refuses files of --save that cannot be written.
func (f *spotFlags) checkSave() error {
	if f.save == "" {
		return nil
	}
	if f.checkpoint < 0 {
		return usererr.Usagef("--checkpoint: %v is not an interval", f.checkpoint)
	}
	if f.checkpoint != 0 && f.device.GPU() {
		return usererr.WithHint(usererr.Usagef("--checkpoint cannot be combined with --device cuda"),
			"without it, --save saves what was found on a GPU, too")
	}
	return cli.Replaceable(f.save, "--save FILE", f.force || f.save == f.spot)
}

// onGPU reports whether a GPU can be used, and why not.
func (f *spotFlags) onGPU() (can bool, reason string) {
	return f.checkpoint == 0 && f.beside() == "", "a GPU does not read and write checkpoints"
}

// resume lets a solver go on from a checkpoint, if there is one.
func (f *spotFlags) resume(cmd *cobra.Command, solver *spot.Solver) error {
	log, from := zerolog.Ctx(cmd.Context()), f.beside()
	if from == "" {
		if spot.IsSaved(f.spot) {
			log.Info().Msg("there is no checkpoint to go on from: the spot is solved from the start")
		}
		return nil
	}
	if f.device.GPU() {
		return usererr.WithHint(usererr.Usagef("--device cuda cannot go on from the checkpoint %s", from),
			"--device cpu can; --force solves from the start")
	}
	err := solver.ResumeState(from)
	if errors.Is(err, checkpoint.ErrOtherTraining) {
		return usererr.WithHint(err, "--force solves from the start, and --save FILE writes to another file")
	}
	if err == nil {
		log.Info().Str("checkpoint", from).Uint64("iterations", solver.Iterations()).Msg("going on")
	}
	return err
}

// keeper saves a solver from time to time.
type keeper struct {
	*spotFlags
	solver *spot.Solver
	last   time.Time // time of the last checkpoint
}

// tick writes the checkpoint if it is due.
func (k *keeper) tick() error {
	if k.checkpoint == 0 || time.Since(k.last) < k.checkpoint {
		return nil
	}
	k.last = time.Now()
	return k.solver.SaveState(k.save + checkpointExtension)
}

// write writes what was found.
func (k *keeper) write(log *zerolog.Logger, exploitability float64) error {
	if k.save == "" {
		return nil
	}
	if err := k.solver.Save(k.save, exploitability); err != nil {
		return err
	}
	if k.checkpoint != 0 {
		if err := k.solver.SaveState(k.save + checkpointExtension); err != nil {
			return err
		}
	}
	size := int64(0)
	if info, err := os.Stat(k.save); err == nil {
		size = info.Size()
	}
	log.Info().Str("file", k.save).Str("size", memory.Bytes(size)).Msg("saved")
	return nil
}

// start returns what --from says of a spot, as settings.
func (f *spotFlags) start(cmd *cobra.Command) ([]string, error) {
	if f.from == "" {
		return nil, nil
	}
	given := cmd.Flags().Changed
	for _, flag := range []string{"spot", "pot", "stack", "range-oop", "range-ip", "flops"} {
		if given(flag) {
			return nil, usererr.Usagef("--%s cannot be combined with --from", flag)
		}
	}
	if !given("board") || !given("at") || len(f.at) > 1 {
		return nil, usererr.WithHint(usererr.Usagef("--from needs one --at and a --board"),
			"as in --from holdem-nolimit-2p --at r300c/cc/ --board Qs7h2c5d")
	}
	board, err := spot.ParseBoard(cmd.Flags().Lookup("board").Value.String())
	if err != nil {
		return nil, usererr.Usage(err)
	}
	p, err := openPart(cmd, f.from, nil, f.memory.Or(memory.Available))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	s, err := spots.From(p, f.at[0], board)
	if errors.Is(err, spots.ErrWithinRound) {
		err = usererr.WithHint(usererr.Usage(err), "as after --at r300c/, with the board of that round")
	}
	if err != nil {
		return nil, showError(err)
	}
	if s.Mapped > 0 {
		zerolog.Ctx(cmd.Context()).Warn().Int("raises", s.Mapped).
			Msg("raises that the strategy does not know are taken for others")
	}
	f.at = []string{""}
	return []string{
		fmt.Sprintf("spot.pot=%d", s.Pot), fmt.Sprintf("spot.stack=%d", s.Stack),
		"ranges.oop=" + s.Ranges[0].String(), "ranges.ip=" + s.Ranges[1].String(),
	}, nil
}
