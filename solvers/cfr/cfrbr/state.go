package cfrbr

import (
	"errors"
	"io"

	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/pcs"
)

var _ checkpoint.State = (*Trainer)(nil)

// WriteState writes what further iterations depend on.
func (t *Trainer) WriteState(w io.Writer) error {
	err := errors.Join(t.Tables.WriteState(w), checkpoint.WriteSlice(w, []uint64{0, hasTrunk}))
	return errors.Join(err, t.eachTrunk(func(player, part int) error {
		regrets, err := t.machine.trunkTable(player, part)
		return errors.Join(err, checkpoint.WriteSlice(w, regrets))
	}))
}

// hasTrunk says that a state has the opponents' regrets in the trunk.
const hasTrunk uint64 = 1

// ReadState restores the state that a trainer of the same game and seed wrote, on whatever
// device.
func (t *Trainer) ReadState(r io.Reader) error {
	head := []uint64{0, 0}
	if err := errors.Join(t.Tables.ReadState(r), checkpoint.ReadSlice(r, head)); err != nil {
		return err
	}
	if head[1] != hasTrunk {
		return errors.New("a state of an unknown format")
	}
	return t.eachTrunk(func(player, part int) error {
		regrets := make([]float32, t.game.trunkEntries(player, part))
		if err := checkpoint.ReadSlice(r, regrets); err != nil {
			return err
		}
		return t.machine.setTrunkTable(player, part, regrets)
	})
}

// eachTrunk calls f for the opponent of each player and each part of the trunk, until it fails.
func (t *Trainer) eachTrunk(f func(player, part int) error) error {
	for _, player := range t.game.players {
		for part := range t.game.trunkParts() {
			if err := f(player, part); err != nil {
				return err
			}
		}
	}
	return nil
}

var _ pcs.Starter = (*Trainer)(nil)

// ReadStart reads what a trainer of package pcs has written, and makes its
// average strategy the one with which this training begins. Its regrets count as those of these
// iterations: the fewer they are, the sooner it is forgotten, and the more the first boards count. In
// the average it has the weight of the first iteration.
func (t *Trainer) ReadStart(r io.Reader, m pcs.Method, iterations uint64) error {
	if err := t.Tables.ReadState(r); err != nil {
		return err
	}
	regrets, sums := m.Weights(t.Iterations())
	n := float64(iterations)
	return t.Restart(func(r int) (forRegrets, forSums float32) {
		boards := 1.0 // boards of an iteration
		if r == t.game.last {
			boards = float64(t.game.rivers)
		}
		return float32(n * boards / regrets), float32(boards / sums)
	})
}
