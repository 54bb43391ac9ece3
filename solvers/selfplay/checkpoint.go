package selfplay

import (
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash/fnv"
	"io"

	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/hexnet"
)

var _ checkpoint.State = (*Training)(nil)

// Meta describes the training for a checkpoint.
func (t *Training) Meta() (m checkpoint.Meta) {
	m.Game, m.GameText = "havannah", fmt.Sprintf("sides %v\n", t.settings.Sides)
	if t.settings.Start != nil {
		m.GameText += fmt.Sprintf("begun with network %016x\n", checksum(t.settings.Start))
	}
	if t.settings.games() != DefaultGames {
		m.GameText += fmt.Sprintf("%d games at once\n", t.settings.games())
	}
	if t.settings.Generation > 0 {
		m.GameText += fmt.Sprintf("generations of %d steps\n", t.settings.Generation)
	}
	m.Algorithm, m.Seed, m.Iterations = fmt.Sprintf("self-play of %v", t.settings.Config), t.settings.Seed, t.Steps()
	return m
}

// checksum identifies the parameters of a network.
func checksum(n *hexnet.Net) uint64 {
	h := fnv.New64a()
	_ = binary.Write(h, binary.LittleEndian, n.Parameters) // a hash takes all that is written
	return h.Sum64()
}

// saved is what a checkpoint has of a training.
type saved struct {
	Steps uint64
	// The numbers of hexnet.State, by parameter.
	Parameters, Average, Momentum, Variance []float32
	Pools                                   []savedPool
	Curve                                   []Point
	Plays                                   []float32 // parameters of what plays the next generation, or nil
}

type savedPool struct {
	Games    []savedGame
	Window   *window
	Credit   int
	Finished uint64

	Evaluations uint64 // 0 in those of earlier versions
}

// savedGame is a game between two rounds.
type savedGame struct {
	Random uint64
	Moves  []uint16
	Record []sample
}

// WriteState writes what the training needs to go on.
func (t *Training) WriteState(w io.Writer) error {
	state, err := t.learner.State()
	if err != nil {
		return err
	}
	s := saved{Steps: t.Steps(), Parameters: state.Net.Parameters, Average: state.Average, Momentum: state.Momentum,
		Variance: state.Variance, Curve: t.Curve}
	if t.plays != nil {
		s.Plays = t.plays.Parameters
	}
	for _, p := range t.pools {
		games := make([]savedGame, len(p.games))
		for i, g := range p.games {
			games[i] = savedGame{uint64(g.random), g.moves, g.record}
		}
		s.Pools = append(s.Pools, savedPool{games, p.window, p.credit, p.played.Games, p.played.Evaluations})
	}
	return gob.NewEncoder(w).Encode(&s)
}

// ReadState goes on from a training that was written, with the same settings. After an
// error the training must not be used.
func (t *Training) ReadState(r io.Reader) error {
	var s saved
	if err := gob.NewDecoder(r).Decode(&s); err != nil {
		return err
	}
	n, err := t.Net()
	if err != nil {
		return err
	}
	n.Parameters, n.Origin.Steps = s.Parameters, s.Steps
	state := &hexnet.State{Net: n, Average: s.Average, Momentum: s.Momentum, Variance: s.Variance}
	if err := t.learner.SetState(state); err != nil {
		return err
	}
	if s.Plays != nil {
		if t.plays = n.Clone(); len(s.Plays) != len(n.Parameters) {
			return fmt.Errorf("a network of %d parameters, not %d", len(s.Plays), len(n.Parameters))
		}
		t.plays.Parameters = s.Plays
	}
	if len(s.Pools) != len(t.pools) {
		return fmt.Errorf("%d sides, not %d", len(s.Pools), len(t.pools))
	}
	for i, p := range t.pools {
		if err := p.restore(&s.Pools[i]); err != nil {
			return fmt.Errorf("side %d: %w", p.grid.Side, err)
		}
		t.batches[i] = newBatch(p.grid, p.window, batchSize, len(t.batches[i].readers))
	}
	t.Curve = s.Curve
	return nil
}

// restore goes on from a saved pool.
func (p *pool) restore(s *savedPool) error {
	if len(s.Games) != len(p.games) || !s.Window.fits(p.window) {
		return fmt.Errorf("%d games, or recorded positions, of other sizes", len(s.Games))
	}
	for i, reply := range s.Window.Reply {
		if reply != none && int(reply) >= p.grid.NumCells {
			return fmt.Errorf("recorded position %d: reply %d", i, reply)
		}
	}
	s.Window.numCells = p.window.numCells
	p.window, p.credit = s.Window, s.Credit
	p.played = Played{Games: s.Finished, Evaluations: s.Evaluations}
	for i, g := range p.games {
		if err := g.restore(&s.Games[i]); err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
	}
	return nil
}

// fits reports whether a window has arrays of the lengths of another.
func (w *window) fits(other *window) bool {
	return w != nil && len(w.Cells) == len(other.Cells) && len(w.Policy) == len(other.Policy) &&
		len(w.Last) == len(other.Last) &&
		len(w.Reply) == len(other.Reply) && len(w.Value) == len(other.Value) && len(w.Kinds) == len(other.Kinds)
}

// restore goes on from a saved game.
func (g *game) restore(s *savedGame) error {
	g.random, g.moves, g.record = rng.Stream(s.Random), s.Moves, s.Record
	if len(g.moves) == 0 {
		return nil
	}
	b, err := boardAfter(g.grid, g.moves)
	if err != nil {
		return err
	}
	if b.Over() {
		return havannah.ErrOver
	}
	g.board = b
	for _, r := range g.record {
		if len(r.Cells) != g.grid.NumCells || len(r.Policy) != g.grid.NumCells || r.Ply < 0 {
			return fmt.Errorf("a position of %d cells", len(r.Cells))
		}
	}
	return nil
}
