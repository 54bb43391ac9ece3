package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"gamebots/cmd/internal/cli"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"

	"github.com/spf13/cobra"
)

// convertStrategy writes a strategy with rounded probabilities, or some rounds of it, to another file.
func (f *convertFlags) convertStrategy(cmd *cobra.Command, from, to string) error {
	if err := f.checkStrategy(cmd.Flags().Changed, from, to); err != nil {
		return err
	}
	if err := cli.Replaceable(to, "", f.force); err != nil {
		return err
	}
	p, err := openPart(cmd, from, nil, memory.Available())
	if err != nil {
		return err
	}
	defer p.Close()
	first, err := firstRounds(p, f.rounds)
	if err != nil {
		return err
	}
	before, err := os.Stat(from)
	if err != nil {
		return err
	}
	switch err := p.SaveRounded(cmd.Context(), to, f.bits, first); {
	case err != nil && cmd.Context().Err() != nil:
		return context.Cause(cmd.Context())
	case err != nil:
		return err
	}
	after, err := os.Stat(to)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d bits a probability, %s instead of %s\n", to, f.bits,
		memory.Bytes(after.Size()), memory.Bytes(before.Size()))
	return err
}

// checkStrategy returns an error for arguments that make no sense for a strategy.
func (f *convertFlags) checkStrategy(given func(flag string) bool, from, to string) error {
	for _, name := range recordFlags {
		if given(name) {
			return usererr.Usagef("--%s has no effect on a strategy", name)
		}
	}
	switch {
	case to == "" || to == "-":
		return usererr.Usagef("%s is a strategy: give the file OUT to write", from)
	case f.bits < 1 || f.bits > strategy.MaxBits:
		return usererr.Usagef("--bits: %d is not from 1 to %d", f.bits, strategy.MaxBits)
	}
	return nil
}

// firstRounds returns how many rounds of a strategy --rounds lists, which must be the first
// ones: by default all that it has.
func firstRounds(p *policy.Policy, text string) (n int, err error) {
	if text == "" {
		return p.Rounds(), nil
	}
	chosen, err := betting.ParseRounds(p.Tree.Game, text)
	for n < len(chosen) && chosen[n] {
		n++
	}
	if err == nil && slices.Contains(chosen[n:], true) {
		err = errors.New("list the first rounds of the game, without gaps")
	}
	if err != nil {
		err = usererr.Usagef("--rounds %s: %v", text, err)
	}
	return n, err
}
