package cfr

import (
	"errors"
	"fmt"
	"sort"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/strategy"
)

// ErrOffTree is a hand whose betting or cards a strategy does not know.
var ErrOffTree = errors.New("not in the strategy's tree")

// Policy is a trained strategy in its file, read as it is needed. It may be
// used by several goroutines at once.
type Policy struct {
	*Layout
	file *strategy.File
}

// Choice is an action and its probability.
type Choice struct {
	Action      acpc.Action
	Probability float32
}

// OpenPolicy opens a strategy file and lays out its game, if that takes no more
// than a number of bytes of memory.
func OpenPolicy(path string, memory float64) (*Policy, error) {
	f, err := strategy.Open(path)
	if err != nil {
		return nil, err
	}
	l, err := layoutOf(f.Meta(), memory)
	if err == nil && f.Len() != uint64(l.Entries) {
		err = fmt.Errorf("%w: %d probabilities, its game has %d", strategy.ErrCorrupt, f.Len(), l.Entries)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Policy{l, f}, nil
}

// layoutOf lays out the game that a strategy is for.
func layoutOf(m strategy.Meta, memory float64) (*Layout, error) {
	g, err := acpc.ParseGame(m.Game, m.GameText)
	if err != nil {
		return nil, err
	}
	kind, err := abstraction.ParseKind(m.Abstraction)
	if err != nil {
		return nil, err
	}
	return Prepare(g, kind, memory)
}

// Meta returns how the strategy was trained.
func (p *Policy) Meta() strategy.Meta { return p.file.Meta() }

// Verify reads the whole file and checks it.
func (p *Policy) Verify() error { return p.file.Verify() }

// CheckGame fails where the strategy is not for the given game.
func (p *Policy) CheckGame(g *acpc.Game) error { return p.file.CheckGame(g.String()) }

// Close closes the file; the policy is not to be used after it.
func (p *Policy) Close() error { return p.file.Close() }

// Choices appends to dst what the player to act in s does, given the player's
// own hole cards and the board.
func (p *Policy) Choices(dst []Choice, s *acpc.State) ([]Choice, error) {
	i := p.Tree.Find(s)
	if i < 0 {
		return dst, fmt.Errorf("betting %w", ErrOffTree)
	}
	bucket := p.Cards.Bucket(s.Round(), dealOf(s))
	if bucket < 0 {
		return dst, fmt.Errorf("cards %w", ErrOffTree)
	}
	n := &p.Tree.Nodes[i]
	var few [4]float32 // enough for a limit game, without allocation
	probabilities := few[:0]
	for range n.NumActions {
		probabilities = append(probabilities, 0)
	}
	if err := p.file.Read(uint64(p.Entry[i]+bucket*int(n.NumActions)), probabilities); err != nil {
		return dst, err
	}
	for a, x := range probabilities {
		dst = append(dst, Choice{p.Tree.Nodes[int(n.First)+a].Action, x})
	}
	return dst, nil
}

// dealOf returns what the player to act sees of the cards.
func dealOf(s *acpc.State) abstraction.Deal {
	g := s.Game()
	d := abstraction.Deal{Hole: card.SetOf(s.Holes[s.Actor()][:g.NumHoleCards]...)}
	for r, from := 0, 0; r <= s.Round(); r++ {
		to := from + int(g.NumBoardCards[r])
		d.Board[r] = card.SetOf(s.Board[from:to]...)
		from = to
	}
	return d
}

// Weights reads the whole strategy, for an Evaluator.
func (p *Policy) Weights() ([]float32, error) {
	weights := make([]float32, p.Entries)
	var row []float32
	for i := range p.Tree.Nodes {
		n := &p.Tree.Nodes[i]
		if n.Kind != Decision {
			continue
		}
		actions, stride := int(n.NumActions), p.strideOf(int32(i))
		row = append(row[:0], make([]float32, actions*stride)...)
		if err := p.file.Read(uint64(p.Entry[i]), row); err != nil {
			return nil, err
		}
		for k, x := range row {
			weights[p.Entry[i]+k%actions*stride+k/actions] = x
		}
	}
	return weights, nil
}

// Save writes the average strategy to a file. What describes the training is
// filled in; the caller may have set the exploitability and the seed.
func (t *Trainer) Save(path string, m strategy.Meta) error {
	m.Game, m.GameText = t.Tree.Game.Name, t.Tree.Game.String()
	m.Abstraction = t.Cards.Kind.String()
	m.Algorithm = t.Algorithm.String()
	m.Iterations = t.iterations
	return strategy.Write(path, m, uint64(t.Entries), t.probabilities)
}

// probabilities fills dst with the strategy in the order of a file: the entries
// of an information set together, from entry at on.
func (t *Trainer) probabilities(dst []float32, at uint64) error {
	// The last decision whose entries start at or before at.
	i := sort.Search(len(t.Entry), func(i int) bool { return t.Entry[i] > int(at) }) - 1
	for len(dst) > 0 {
		n := &t.Tree.Nodes[i]
		if n.Kind == Decision {
			actions, stride := int(n.NumActions), t.strideOf(int32(i))
			from := int(at) - t.Entry[i]
			count := min(len(dst), actions*stride-from)
			for k := range count {
				bucket, a := (from+k)/actions, (from+k)%actions
				scale, base := proportions(t.sum[t.Entry[i]+bucket:], actions, stride)
				dst[k] = float32(float64(t.sum[t.Entry[i]+a*stride+bucket])*scale + base)
			}
			dst, at = dst[count:], at+uint64(count)
		}
		i++
	}
	return nil
}
