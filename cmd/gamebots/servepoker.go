package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gamebots/bots/registry"
	"gamebots/cmd/gamebots/internal/strategies"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/internal/usererr"

	"github.com/spf13/cobra"
)

// openStrategies opens the strategies of --strategy and those that come with the program, and
// trains those of the smallest games. CloseAll is to be called in any case.
func (f *serveFlags) openStrategies(cmd *cobra.Command) (all []registry.PokerStrategy, closeAll func(), err error) {
	folder, err := os.MkdirTemp("", "gamebots-serve-")
	closeAll = func() {
		for _, s := range all {
			s.Policy.Close()
		}
		os.RemoveAll(folder)
	}
	if err != nil {
		return nil, closeAll, usererr.WithHint(fmt.Errorf("a folder for trained strategies: %w", err), "$TMPDIR is where temporary files go")
	}
	for _, text := range f.strategies {
		name, file, named := strings.Cut(text, "=")
		if !named {
			file = text
			name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		}
		policy, err := strategies.Open(cmd, file, memory.Available()/4)
		if err != nil {
			return all, closeAll, err
		}
		all = append(all, registry.PokerStrategy{Bot: name, Policy: policy})
	}
	quick, err := registry.TrainQuick(folder)
	all = append(all, quick...)
	os.RemoveAll(folder) // the files are open, and go with the process however it ends; where that cannot be, closeAll removes them
	if err != nil {
		return all, closeAll, err
	}
	for _, game := range configs.Strategies() {
		if slices.ContainsFunc(quick, func(s registry.PokerStrategy) bool { return s.Policy.Tree.Game.Name == game }) {
			continue
		}
		file, err := configs.Strategy(game)
		if err != nil {
			return all, closeAll, err
		}
		policy, err := strategies.Open(cmd, file, memory.Available()/4)
		if err != nil {
			return all, closeAll, err
		}
		all = append(all, registry.PokerStrategy{Bot: quick[0].Bot, Policy: policy})
	}
	return all, closeAll, nil
}
