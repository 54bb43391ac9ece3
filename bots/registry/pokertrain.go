package registry

import (
	"fmt"
	"path/filepath"

	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// quickGames are the games that are solved in a moment, with the iterations for it.
var quickGames = []struct {
	name       string
	iterations int
}{{"kuhn", 2000}, {"kuhn-3p", 2000}, {"leduc", 1000}}

// TrainQuick trains strategies for the smallest games, which takes less than a second, and
// writes them to files in a folder. They are all of the bot "cfr". The caller closes the
// policies.
func TrainQuick(folder string) ([]PokerStrategy, error) {
	var all []PokerStrategy
	for _, quick := range quickGames {
		g, err := configs.Game(quick.name)
		if err != nil {
			return all, err
		}
		layout, err := cfr.Prepare(g, betting.Actions{}, abstraction.Lossless, 1<<30)
		if err != nil {
			return all, err
		}
		trainer := cfr.NewTrainer(layout, cfr.Algorithms[0], 1)
		for range quick.iterations {
			trainer.Step()
		}
		found := cfr.NewEvaluator(layout, 1).Evaluate(trainer.Weights()).Exploitability()
		file := filepath.Join(folder, quick.name+".strategy")
		if err := trainer.Save(file, strategy.Meta{Exploitability: &found}); err != nil {
			return all, err
		}
		p, err := policy.Open(file, 1<<30, nil)
		if err != nil {
			return all, fmt.Errorf("%s: %w", quick.name, err)
		}
		all = append(all, PokerStrategy{Bot: "cfr", About: "Plays what counterfactual regret minimization finds: hardly anything can be won from it.", Policy: p})
	}
	return all, nil
}
