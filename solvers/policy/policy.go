package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/strategy"
)

// ErrOffTree is the error for a hand whose betting or cards are not in a strategy.
var ErrOffTree = errors.New("not in the strategy's tree")

// Policy is a trained strategy in its file, which is read on demand. It may be used by
// several goroutines at once.
type Policy struct {
	*Index
	file   *strategy.File
	rounds int       // the file has the first n rounds
	loaded []float32 // the whole strategy, once Load or Full has read it
}

// CutError is the error where more rounds of a game are needed than the strategy has.
type CutError struct {
	Game       string
	Rounds, Of int // the rounds that the strategy has, and those of the game
}

func (e *CutError) Error() string {
	return fmt.Sprintf("the strategy for %s has only the first %d of %d rounds", e.Game, e.Rounds, e.Of)
}

// Choice is an action and its probability.
type Choice struct {
	Action      acpc.Action
	Probability float32
}

// Open opens a strategy file and the index of its game, if that fits in budget
// bytes of memory. progress, if not nil, is called with the part that is done while cards
// are prepared, which may take seconds. A strategy without all rounds is refused with a
// [*CutError].
func Open(path string, budget int64, progress func(part float64)) (*Policy, error) {
	p, err := OpenPart(path, budget, progress)
	if err != nil {
		return nil, err
	}
	if err := p.has(p.Tree.Game.NumRounds); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), p.Close())
	}
	return p, nil
}

// OpenPart is Open for strategies that may lack the last rounds. The policy's methods
// return a [*CutError] where they need these.
func OpenPart(path string, budget int64, progress func(part float64)) (*Policy, error) {
	f, err := strategy.Open(path)
	if err != nil {
		return nil, err
	}
	m := f.Meta()
	x, err := indexOf(m, budget, progress)
	switch {
	case err != nil:
	case m.Rounds < 0 || m.Rounds > x.Tree.Game.NumRounds:
		err = fmt.Errorf("%w: %d rounds, its game has %d", strategy.ErrCorrupt, m.Rounds, x.Tree.Game.NumRounds)
	case f.Len() != uint64(x.entriesOf(m.Rounds)):
		err = fmt.Errorf("%w: %d probabilities, its game has %d", strategy.ErrCorrupt, f.Len(), x.entriesOf(m.Rounds))
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Policy{Index: x, file: f, rounds: cmp.Or(m.Rounds, x.Tree.Game.NumRounds)}, nil
}

// has returns a [*CutError] if the strategy does not have the first rounds of the game.
func (p *Policy) has(rounds int) error {
	if p.rounds < rounds {
		return &CutError{p.Tree.Game.Name, p.rounds, p.Tree.Game.NumRounds}
	}
	return nil
}

// indexOf returns the index of the game that a strategy is for.
func indexOf(m strategy.Meta, budget int64, progress func(part float64)) (*Index, error) {
	g, err := acpc.ParseGame(m.Game, m.GameText)
	if err != nil {
		return nil, err
	}
	actions, err := betting.ParseMeta(m.Actions)
	if err != nil {
		return nil, err
	}
	spec := GameSpec{Game: g, Cards: m.Abstraction, Buckets: m.Buckets, Actions: actions}
	return spec.openIndex(budget, progress)
}

// Meta returns the description of the training.
func (p *Policy) Meta() strategy.Meta { return p.file.Meta() }

// Load reads the whole strategy into memory if it fits in budget bytes, and
// otherwise does nothing. It is for matches of many hands, in which lookups in the file
// would take most of the time. Load must be called before the policy is used.
func (p *Policy) Load(budget int64) error {
	if p.loaded != nil || 4*int64(p.Len()) > budget {
		return nil
	}
	all := make([]float32, p.Len())
	if err := p.file.Read(0, all); err != nil {
		return err
	}
	p.loaded = all
	return nil
}

// FillBuckets computes the buckets of all hands if the strategy's file leaves some out (see
// [buckets.Table.Fill]), and otherwise does nothing. It is for best responses and estimates,
// which look up most of them, and must be called before the policy is used. progress gets
// the part that is done.
func (p *Policy) FillBuckets(ctx context.Context, threads int, progress func(part float64)) error {
	t, ok := p.Buckets.(*buckets.Table)
	if !ok {
		return nil
	}
	filled, err := t.Fill(ctx, threads, progress)
	if err != nil {
		return err
	}
	index := *p.Index
	index.Buckets, p.Index = filled, &index
	return nil
}

// Rounds returns how many rounds of the game the strategy has, the first ones.
func (p *Policy) Rounds() int { return p.rounds }

// Len returns the number of probabilities of these rounds.
func (p *Policy) Len() int { return p.entriesOf(p.rounds) }

// SaveRounded writes the first rounds of the strategy to a file with probabilities of some
// bits, 1 to 8 (see [strategy.WriteRounded]), or nothing if ctx ends. Its exploitability is not
// known. With one bit a raise is played where all raises together are likelier than a fold and a call each.
func (p *Policy) SaveRounded(ctx context.Context, path string, bits, rounds int) error {
	if err := p.has(rounds); err != nil {
		return err
	}
	m := p.Meta()
	m.Bits, m.Rounds, m.Exploitability = bits, rounds, nil
	if rounds == p.Tree.Game.NumRounds {
		m.Rounds = 0 // as before there were others
	}
	return p.save(path, m, func(node int32, first, bucket int, weights []float32) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err := p.read(first+bucket*len(weights), weights)
		if bits == 1 {
			p.keepKind(node, weights)
		}
		return err
	})
}

// keepKind sets to 0 the weights of a decision's raises, or of the others, whichever is not the likeliest: a player who
// raises by several sizes seldom chooses each of them.
func (p *Policy) keepKind(node int32, weights []float32) {
	actions := p.Tree.Nodes[p.Tree.Nodes[node].First:][:len(weights)]
	raises, most := float32(0), float32(0)
	for a, x := range weights {
		if actions[a].Action().Type == acpc.Raise {
			raises += x
		} else {
			most = max(most, x)
		}
	}
	for a := range weights {
		if (actions[a].Action().Type == acpc.Raise) != (raises > most) {
			weights[a] = 0
		}
	}
}

// Verify reads the whole file and checks its checksums.
func (p *Policy) Verify() error { return p.file.Verify() }

// CheckGame returns an error if the strategy is not for the given game.
func (p *Policy) CheckGame(g *acpc.Game) error {
	if p.Tree.Game.String() == g.String() {
		return nil
	}
	return cmp.Or(p.file.CheckGame(g.String()), strategy.ErrOtherGame) // the file's own has other names for the seats
}

// For returns the policy for a game: its own, or the same with the seats named from another one on (see
// [acpc.Game.Offset]). It shares the file. For any other game the error is that of CheckGame.
func (p *Policy) For(g *acpc.Game) (*Policy, error) {
	by, same := p.Tree.Game.Offset(g)
	if !same || by == 0 {
		return p, p.CheckGame(g)
	}
	moved := *p
	moved.Index = NewIndex(p.Tree.In(g, by), p.Buckets)
	return &moved, nil
}

// Close closes the file. The policy must not be used after it.
func (p *Policy) Close() error { return p.file.Close() }

// Choices appends to dst the actions of the player to act in s and their probabilities,
// given the player's own hole cards and the board.
func (p *Policy) Choices(dst []Choice, s *acpc.State) ([]Choice, error) {
	i := p.Tree.Find(s)
	if i < 0 {
		return dst, fmt.Errorf("betting %w", ErrOffTree)
	}
	return p.choices(dst, s, i)
}

// choices is Choices at a decision of the tree.
func (p *Policy) choices(dst []Choice, s *acpc.State, i int32) ([]Choice, error) {
	bucket := p.Buckets.Bucket(s.Round(), DealOf(s))
	if bucket < 0 {
		return dst, fmt.Errorf("cards %w", ErrOffTree)
	}
	return p.ChoicesAt(dst, i, bucket)
}

// ChoicesAt is Choices at a decision of the tree, for a bucket of its round.
func (p *Policy) ChoicesAt(dst []Choice, node int32, bucket int) ([]Choice, error) {
	n := &p.Tree.Nodes[node]
	if err := p.has(int(n.Round) + 1); err != nil {
		return dst, err
	}
	var few [4]float32 // enough for a limit game, without allocation
	probabilities := few[:0]
	for range n.NumActions {
		probabilities = append(probabilities, 0)
	}
	at := p.Entry(node) + bucket*int(n.NumActions)
	if err := p.read(at, probabilities); err != nil {
		return dst, err
	}
	for a, x := range probabilities {
		dst = append(dst, Choice{p.Tree.Nodes[int(n.First)+a].Action(), x})
	}
	return dst, nil
}

// read sets dst to the probabilities from an entry on.
func (p *Policy) read(entry int, dst []float32) error {
	if p.loaded != nil {
		copy(dst, p.loaded[entry:])
		return nil
	}
	return p.file.Read(uint64(entry), dst)
}

// DealOf returns the cards that the player to act sees.
func DealOf(s *acpc.State) abstraction.Deal {
	return abstraction.Deal{
		Board: BoardOf(s, s.Round()), Hole: card.SetOf(s.Holes[s.Actor()][:s.Game().NumHoleCards]...),
	}
}

// BoardOf returns the board cards that each round adds, up to a round.
func BoardOf(s *acpc.State, round int) (board [acpc.MaxRounds]card.Set) {
	from := 0
	for r := range round + 1 {
		to := s.Game().BoardCards(r)
		board[r] = card.SetOf(s.Board[from:to]...)
		from = to
	}
	return board
}

// Weights reads the whole strategy: entry a of bucket b is at Entry(node) + a*buckets + b.
func (p *Policy) Weights() ([]float32, error) {
	if err := p.has(p.Tree.Game.NumRounds); err != nil {
		return nil, err
	}
	weights := make([]float32, p.Entries)
	var row []float32
	at := 0 // offset in the file
	for i := range p.Tree.Nodes {
		n := &p.Tree.Nodes[i]
		if n.Kind != betting.Decision {
			continue
		}
		actions, stride := int(n.NumActions), p.Buckets.NumBuckets(int(n.Round))
		row = append(row[:0], make([]float32, actions*stride)...)
		if err := p.read(at, row); err != nil {
			return nil, err
		}
		for k, x := range row {
			weights[at+k%actions*stride+k/actions] = x
		}
		at += len(row)
	}
	return weights, nil
}

// Translate is Choices for a hand with raises of other players that the strategy's
// tree does not have. It maps these to others (see [betting.Tree.Translate]) and
// returns where in the tree that is, or nil for a tree that has all raises. The
// choices are legal; two of them may be the same action. Where the real hand has come
// too far away from the tree the error is a [betting.ErrNoDecision].
func (p *Policy) Translate(
	dst []Choice, s *acpc.State, draw func(i int) float64,
) (choices []Choice, t *betting.Translation, err error) {
	if p.Tree.Shape.Betting.All() {
		choices, err = p.Choices(dst, s)
		return choices, t, err
	}
	if t, err = p.Tree.Translate(s, draw); err != nil {
		return dst, t, err
	}
	if choices, err = p.choices(dst, s, t.Node); err != nil {
		return dst, t, err
	}
	for i := range choices[len(dst):] {
		c := &choices[len(dst)+i]
		c.Action = t.Real(c.Action)
	}
	return choices, t, nil
}

// WithBucketCache returns the same policy for one goroutine: it caches the bucket
// of the last deal of each round. A player has several decisions in a round, and
// finding the bucket is most of the time that one takes.
func (p *Policy) WithBucketCache() *Policy {
	index := *p.Index
	index.Buckets = &cachedBuckets{Buckets: p.Buckets}
	return &Policy{Index: &index, file: p.file, rounds: p.rounds, loaded: p.loaded}
}

// cachedBuckets are buckets with the last lookup of each round.
type cachedBuckets struct {
	Buckets
	deals   [acpc.MaxRounds]abstraction.Deal
	buckets [acpc.MaxRounds]int
}

// Bucket implements Buckets.
func (c *cachedBuckets) Bucket(round int, d abstraction.Deal) int {
	if c.deals[round] != d { // the zero value is no deal: it has no cards
		c.buckets[round] = c.Buckets.Bucket(round, d)
		c.deals[round] = d
	}
	return c.buckets[round]
}

// OnBoard implements boardBuckets.
func (c *cachedBuckets) OnBoard(round int, board [acpc.MaxRounds]card.Set, holes []card.Set) []int {
	return onBoard(c.Buckets, round, board, holes)
}

// Plain is a simple strategy that looks at no cards.
type Plain string

const (
	PlainCall  Plain = "call"
	PlainRaise Plain = "raise" // calls where no raise is allowed
	PlainFold  Plain = "fold"  // calls where there is nothing to call
	PlainHalf  Plain = "half"  // raises and calls with half each; calls where no raise is allowed
)

// Plains are all of them.
var Plains = []Plain{PlainCall, PlainRaise, PlainFold, PlainHalf}
