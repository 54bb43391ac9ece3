package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/usererr"
)

// shippedStrategy returns the file of the strategy that comes with the program for a game, which a user named.
func shippedStrategy(g *acpc.Game, nameOrPath string) (string, error) {
	file, err := configs.Strategy(cmp.Or(configs.ShippedGame(g), g.Name))
	if errors.As(err, new(*configs.NoStrategyError)) {
		hint := trainCommand(g, nameOrPath) + " -o FILE makes one"
		if configs.HasBetterRecipe(g) {
			hint += fmt.Sprintf(", gamebots train %s --as-shipped a better one", cli.Quoted(nameOrPath))
		}
		err = usererr.WithHint(err, hint)
	}
	return file, err
}

// fileOrShipped returns the [strategyFile] of a strategy that a user named, or the [shippedStrategy] of a game if that
// is "", and the game to play.
func fileOrShipped(nameOrPath string, g *acpc.Game, game string) (string, *acpc.Game, error) {
	if nameOrPath == "" {
		file, err := shippedStrategy(g, game)
		return file, g, err
	}
	file, named, err := strategyFile(nameOrPath)
	return file, cmp.Or(g, named), err
}

// trainCommand returns the command that trains a strategy for a game, which a user named.
func trainCommand(g *acpc.Game, nameOrPath string) string {
	return strings.TrimRight(fmt.Sprintf("gamebots train %s %s", cli.Quoted(nameOrPath), configs.Recipe(g)), " ")
}

// strategyFile returns the file of a strategy that a user named: that which comes with the
// program if it is the name of a shipped game or a file of a game, with that game, and otherwise that of this path.
func strategyFile(nameOrPath string) (file string, g *acpc.Game, err error) {
	if !slices.Contains(configs.Games(), nameOrPath) && filepath.Ext(nameOrPath) != ".game" {
		if _, err := os.Stat(nameOrPath); errors.Is(err, fs.ErrNotExist) {
			return "", nil, usererr.WithHint(fmt.Errorf("%s: %w", nameOrPath, errors.Unwrap(err)),
				"give the file of a strategy, or the name of a game that comes with one, as holdem-limit-2p")
		}
		return nameOrPath, nil, nil
	}
	if g, err = configs.Game(nameOrPath); err != nil {
		return "", nil, err
	}
	file, err = shippedStrategy(g, nameOrPath)
	return file, g, err
}
