package spot

import (
	"errors"
	"fmt"
	"io"

	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/resolve/spot/internal/layout"
	"gamebots/solvers/strategy"
)

// savedGame is the name of the game in the file of a spot.
const savedGame = "solved spot of no-limit hold'em"

// kept returns the last street that a file has: rivers are solved again, which takes less time than to read them.
func (s *Spot) kept() int { return max(s.first(), layout.Turn) }

// SavedBytes returns the most bytes of the file of [Solver.Save], and of the memory that it takes meanwhile.
func (s *Solver) SavedBytes() int64 { return 4 * int64(newPoints(s.table, s.spot.kept()).size) }

// meta describes the solution, whose exploitability in chips is known.
func (s *Solver) meta(exploitability *float64) (strategy.Meta, error) {
	text, err := s.spot.MarshalText()
	params := map[string]float64{"bits": 32}
	if s.quantized {
		params["bits"] = 16
	}
	return strategy.Meta{
		Game: savedGame, GameText: string(text), Algorithm: s.algorithm.Name, Params: params,
		Iterations: s.iterations, Exploitability: exploitability,
	}, err
}

// Save writes a file for [OpenSaved] with the average strategies and what hands win by them, at all decisions
// before the river; a river is written whole. Spots with an offer, lines or leaves have no files.
func (s *Solver) Save(path string, exploitability float64) error {
	if s.spot.Offer != nil || s.spot.Leaves != nil || s.spot.Lines != nil {
		return fmt.Errorf("save a spot with an offer, lines or leaves: %w", errors.ErrUnsupported)
	}
	p := newPoints(s.table, s.spot.kept())
	values := make([]float32, p.size)
	for q := range 2 {
		err := s.capture(q, p.all, func(c *capture) { p.fill(s.traversal, values, c, q) })
		if err := errors.Join(err, s.err()); err != nil {
			return err
		}
	}
	m, err := s.meta(&exploitability)
	if err != nil {
		return err
	}
	return strategy.Write(path, m, uint64(p.size), func(dst []float32, at uint64) error {
		copy(dst, values[at:])
		return nil
	})
}

// fill sets the numbers of a decision that a traversal for a player has found.
func (p *points) fill(s *traversal, values []float32, c *capture, player int) {
	at, actions, own, other := p.at(c.NodeKey)
	opposing := s.opposing(p.Boards[c.Street][c.Board], player, c.reach[1-player])
	fill := func(to []float32, from []float32) {
		for i := range to {
			worth := p.worth(from[i], opposing[i], c.Street, 0)
			to[i] = p.roundValue((worth + float64(p.spot.Stack)) / p.scale())
		}
	}
	if int(p.Streets[c.Street].Nodes[c.Node].Actor) != player {
		fill(values[at+2*actions*own:][:other], c.value)
		return
	}
	for a := range actions {
		for i, x := range c.sigma[a][:own] {
			values[at+a*own+i] = roundProbability(x)
		}
		fill(values[at+(actions+a)*own:][:own], c.children[a])
	}
}

// SaveState writes a checkpoint, from which [Solver.ResumeState] goes on as if there had been no interruption.
func (s *Solver) SaveState(path string) error {
	m, err := s.meta(nil)
	if err != nil {
		return err
	}
	return checkpoint.Write(path, checkpoint.Meta{Meta: m}, state{s})
}

// ResumeState reads the checkpoint of a solver of the same spot by the same algorithm.
func (s *Solver) ResumeState(path string) error {
	m, err := s.meta(nil)
	if err != nil {
		return err
	}
	m.Iterations = 0 // any number
	read, err := checkpoint.Read(path, checkpoint.Meta{Meta: m}, state{s})
	s.iterations = read.Iterations
	return err
}

// state is what a solver goes on from.
type state struct{ *Solver }

// WriteState implements [checkpoint.State].
func (s state) WriteState(w io.Writer) error {
	if s.onDevice {
		return fmt.Errorf("a checkpoint of entries on a GPU: %w", errors.ErrUnsupported)
	}
	return errors.Join(s.regrets.Write(w), s.sums.Write(w))
}

// ReadState implements [checkpoint.State].
func (s state) ReadState(r io.Reader) error {
	if s.onDevice {
		return fmt.Errorf("a checkpoint on a GPU: %w", errors.ErrUnsupported)
	}
	return errors.Join(s.regrets.Read(r), s.sums.Read(r))
}
