package pcs

import (
	"bytes"
	"errors"
	"testing"

	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/internal/pokertest"
)

// A damaged state is an error, and so is a compact one, which version 0.2.0 wrote.
func TestDamagedState(t *testing.T) {
	trainer := steps(NewTrainer(layout(t, pokertest.Game(t, "kuhn"), 2), Method{Batch: 2}, 1, 1), 2)
	state := stateOf(t, trainer)
	read := func(state []byte) error {
		return NewTrainer(trainer.Game, Method{Batch: 2}, 1, 1).ReadState(bytes.NewReader(state))
	}
	if err := read(state); err != nil {
		t.Error(err)
	}
	other := bytes.Clone(state)
	other[0] = 7
	if read(other) == nil || read(state[:len(state)-1]) == nil {
		t.Error("a state that is cut short, or of an unknown format, is read")
	}
	other[0] = byte(compactState)
	if err := read(other); !errors.Is(err, errCompact) || !errors.Is(err, checkpoint.ErrVersion) {
		t.Errorf("a compact state: %v", err)
	}
}
