package registry

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// quickBot is the bot of a server that plays the strategies of the smallest games, and those that come with the
// program.
const quickBot = "cfr"

// quickGames are the games that are solved in a moment, with the iterations for it.
var quickGames = []struct {
	name       string
	iterations int
}{{"kuhn", 2000}, {"kuhn-3p", 2000}, {"leduc", 1000}}

// TrainQuick trains strategies for the smallest games, which takes less than a second, and
// writes them to files in a folder. They are all of one bot. The caller closes the
// policies.
func TrainQuick(folder string) ([]PokerStrategy, error) {
	var all []PokerStrategy
	for _, quick := range quickGames {
		g, err := configs.Game(quick.name)
		if err != nil {
			return all, err
		}
		layout, err := publictree.Prepare(g, betting.Actions{}, abstraction.Lossless, 1<<30)
		if err != nil {
			return all, err
		}
		trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
		for range quick.iterations {
			trainer.Step()
		}
		found := publictree.NewEvaluator(layout, 1).Evaluate(trainer.Weights()).Exploitability()
		file := filepath.Join(folder, quick.name+".strategy")
		if err := trainer.Save(file, strategy.Meta{Exploitability: &found}); err != nil {
			return all, err
		}
		p, err := policy.Open(file, 1<<30, nil)
		if err != nil {
			return all, fmt.Errorf("%s: %w", quick.name, err)
		}
		all = append(all, PokerStrategy{
			Bot: quickBot, Policy: p,
			About: "Plays a solution of the game: nearly perfect in small ones. In heads-up no-limit it wins " +
				"258 bb/100 from one who always calls.",
		})
	}
	return all, nil
}

// OpenPoker opens the strategies that the bots of a server play: those of files, given as FILE or NAME=FILE with the
// name of the bot, those of the smallest games, which it trains, and those that come with the program. Open opens a
// file. CloseAll is to be called in any case.
func OpenPoker(files []string, open func(file string) (*policy.Policy, error)) (
	all []PokerStrategy, closeAll func(), err error,
) {
	folder, err := os.MkdirTemp("", "gamebots-serve-")
	closeAll = func() {
		for _, s := range all {
			s.Policy.Close()
		}
		os.RemoveAll(folder)
	}
	if err != nil {
		return nil, closeAll, usererr.WithHint(
			fmt.Errorf("a folder for trained strategies: %w", err), "$TMPDIR is where temporary files go")
	}
	for _, text := range files {
		bot, file, named := strings.Cut(text, "=")
		if !named {
			file, bot = text, strings.TrimSuffix(filepath.Base(text), filepath.Ext(text))
		}
		p, err := open(file)
		if err != nil {
			return all, closeAll, err
		}
		all = append(all, PokerStrategy{Bot: bot, Policy: p})
	}
	quick, err := TrainQuick(folder)
	all = append(all, quick...)
	// The files are open, and go with the process however it ends. Where that cannot be, closeAll removes them.
	os.RemoveAll(folder)
	if err != nil {
		return all, closeAll, err
	}
	for _, game := range configs.Strategies() {
		if slices.ContainsFunc(quick, func(s PokerStrategy) bool { return s.Policy.Tree.Game.Name == game }) {
			continue
		}
		file, err := configs.Strategy(game)
		if err != nil {
			return all, closeAll, err
		}
		p, err := open(file)
		if err != nil {
			return all, closeAll, err
		}
		all = append(all, PokerStrategy{Bot: quickBot, Policy: p})
	}
	return all, closeAll, nil
}
