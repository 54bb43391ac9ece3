package main

import (
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/nash/extensive/games"

	"github.com/spf13/cobra"
)

// openTree opens the extensive game of a shipped name or a file, and returns nil for any other game.
func openTree(cmd *cobra.Command, name string) (*train.Tree, error) {
	g, err := games.Open(name)
	if g == nil || err != nil {
		return nil, err
	}
	warnRead(cmd, g.Warning)
	return &train.Tree{Game: g, Source: name}, nil
}
