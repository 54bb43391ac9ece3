package main

import (
	"errors"
	"math/rand/v2"
	"runtime"

	"gamebots/bots/spots"
	"gamebots/cmd/internal/cli"
	"gamebots/internal/usererr"
	"gamebots/solvers/resolve/spot"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// playSpot plays hands of a spot that solve poker has saved.
func (f *pokerFlags) playSpot(cmd *cobra.Command, file string) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "hands", "seed", "review", "color", "log-level":
		default:
			err = usererr.Usagef("--%s has no effect on a saved spot, whose solution plays and judges", flag.Name)
		}
	})
	if err != nil {
		return err
	}
	s, err := spot.OpenSaved(file, runtime.NumCPU())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if !cmd.Flags().Changed("seed") {
		f.seed = uint32(drawSeed())
	}
	zerolog.Ctx(cmd.Context()).Info().Str("spot", file).Uint32("seed", f.seed).Msg("seated")
	p := &spots.Practice{
		Solution: s, Out: cmd.OutOrStdout(), ReadLine: cli.LineReader(cmd.Context(), cmd.InOrStdin()),
		Random: rand.New(rand.NewPCG(uint64(f.seed), 0)), Hands: int(f.hands),
	}
	return p.Play()
}
