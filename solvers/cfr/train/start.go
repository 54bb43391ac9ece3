package train

import (
	"errors"
	"fmt"

	"gamebots/solvers/cfr/cfrbr"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/strategy"
)

// DefaultStart is how many iterations the regrets count as with which a training begins, if nothing
// else is said.
const DefaultStart = 1000

// startFrom lets a training of CFR-BR that has done no iteration begin with the average strategy
// of a checkpoint of public chance sampling, of any seed, in the same game with the same cards.
// Its regrets count as those of these iterations: the fewer, the sooner they are forgotten.
// Other trainings have an error of type [*Error].
func (t *Training) startFrom(path string, iterations uint64) error {
	trainer, ok := t.Trainer.(*cfrbr.Trainer)
	if !ok {
		return &Error{FieldStart, fmt.Errorf("%v begins with no other strategy: want %s", t.Algorithm(), cfrbr.Name)}
	}
	want := checkpoint.Meta{Meta: t.meta()}
	found, err := checkpoint.Read(path, want, trainer) // its training is another one
	if err != nil && !errors.Is(err, checkpoint.ErrOtherTraining) {
		return err
	}
	a, err := parseAlgorithm(found.Algorithm)
	if err != nil || !a.isPublicChance() {
		return &Error{FieldStart, fmt.Errorf("%s is of %s: want a checkpoint of %s or %s", path, found.Algorithm,
			pcs.LinearName, pcs.PlusName)}
	}
	want.Algorithm, want.Seed = found.Algorithm, found.Seed
	_, err = checkpoint.Read(path, want, trainer.Start(a.publicChance(), iterations))
	return err
}

// meta describes the training in files.
func (t *Training) meta() strategy.Meta {
	if tree := t.Spec.Tree; tree != nil {
		return strategy.Meta{Game: tree.Name(), GameText: tree.sum(), Algorithm: t.Algorithm(), Seed: t.Spec.Seed}
	}
	return strategy.Meta{
		Game: t.Spec.Game.Name, GameText: t.Spec.Game.String(), Abstraction: t.Cards, Actions: t.Spec.Actions.Meta(),
		Algorithm: t.Algorithm(), Seed: t.Spec.Seed,
	}
}
