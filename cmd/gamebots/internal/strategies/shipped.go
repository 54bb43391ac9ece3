package strategies

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/abstraction"
)

// Shipped returns the file of the strategy that comes with the program for a game.
func Shipped(g *acpc.Game) (string, error) {
	file, err := configs.Strategy(g.Name)
	if errors.As(err, new(*configs.NoStrategyError)) {
		flags := ""
		if abstraction.EHSFits(g) {
			flags = " --abstraction quick --time 10m"
		}
		err = usererr.WithHint(err, fmt.Sprintf("gamebots train %s%s -o FILE makes one", g.Name, flags))
	}
	return file, err
}

// File returns the file of a strategy that a user named: that which comes with the
// program if it is the name of a shipped game, and otherwise that of this path.
func File(nameOrPath string) (string, error) {
	if !slices.Contains(configs.Games(), nameOrPath) {
		if _, err := os.Stat(nameOrPath); errors.Is(err, fs.ErrNotExist) {
			return "", usererr.WithHint(fmt.Errorf("%s: %w", nameOrPath, errors.Unwrap(err)),
				"give the file of a strategy, or the name of a game that comes with one, as holdem-limit-2p")
		}
		return nameOrPath, nil
	}
	g, err := configs.Game(nameOrPath)
	if err != nil {
		return "", err
	}
	return Shipped(g)
}
