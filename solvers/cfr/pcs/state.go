package pcs

import (
	"errors"
	"fmt"
	"io"

	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/segment"
)

// The formats of a state. Only the first is written.
const (
	fullState    uint64 = iota // all regrets and sums of strategies
	compactState               // rounded ones, of training with the flag --compact
)

var errCompact = fmt.Errorf("%w: compact states went with 0.3.0 (the last commit with them is 5b68c516)",
	checkpoint.ErrVersion)

var _ checkpoint.State = (*Tables)(nil)

// WriteState writes what further iterations depend on.
func (t *Tables) WriteState(w io.Writer) error {
	if err := checkpoint.WriteSlice(w, []uint64{fullState, t.done}); err != nil {
		return err
	}
	for player := range 2 {
		for part := range t.nodes {
			regrets, sums := t.table(false, player, part), t.table(true, player, part)
			if t.err != nil {
				return t.err
			}
			if err := errors.Join(checkpoint.WriteSlice(w, regrets), checkpoint.WriteSlice(w, sums)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadState restores the state that a trainer of the same game, method and seed wrote, on
// whatever device.
func (t *Tables) ReadState(r io.Reader) error {
	head := []uint64{0, 0}
	err := checkpoint.ReadSlice(r, head)
	switch {
	case err != nil:
		return err
	case head[0] == compactState:
		return errCompact
	case head[0] != fullState:
		return fmt.Errorf("a state of an unknown format, %d", head[0])
	}
	for player := range 2 {
		for part := range t.nodes {
			n := t.layout.Entries(part, player)
			regrets, sums := make([]float32, n), make([]float32, n)
			if err := errors.Join(checkpoint.ReadSlice(r, regrets), checkpoint.ReadSlice(r, sums),
				t.setTables(player, part, regrets, sums)); err != nil {
				return err
			}
		}
	}
	t.done = head[1]
	return t.machine.Match()
}

// eachDecision calls f for the decisions of a player in a part in each bucket, with the entry
// of the first action in the first lane, the lanes, and their number with padding.
func (t *Tables) eachDecision(player, part int, f func(at int, d *segment.Decision, lanes, width int) error) error {
	p := &t.layout.Parts[part]
	decisions := p.Programs[player].Decisions
	for bucket := range t.layout.Buckets[p.Round][player] {
		for i := range decisions {
			d := &decisions[i]
			if err := f((bucket*p.Columns[player]+int(d.Column))*p.Width, d, p.Lanes, p.Width); err != nil {
				return err
			}
		}
	}
	return nil
}
