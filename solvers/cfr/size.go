package cfr

import (
	"fmt"
	"math"
	"runtime"
	"strconv"

	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// Size is the size of a game for training.
type Size struct {
	// Shape is the shape of the betting tree. If it is not complete, all other numbers
	// are lower bounds too.
	Shape betting.Shape

	Buckets  []float64 // by round; with cards that depend on the board, over all boards
	InfoSets float64
	Entries  float64 // one an action of an information set
	Bytes    int64   // of memory, for training and its evaluation
	// IndexBytes is the size of the tree and the cards, without any strategy.
	IndexBytes int64
	// RoundBytes is Bytes if the game ended after each of its rounds.
	RoundBytes []int64
}

// maxNodes ends the count of a betting tree that no memory holds.
const maxNodes = 1 << 36

// Prepare lays out a game with an action abstraction if training it, with as many
// threads as there are processors, fits in a number of bytes of memory. A game
// that does not fit is refused with a [*SizeError] before anything large is
// allocated.
func Prepare(g *acpc.Game, actions betting.Actions, kind abstraction.Kind, budget int64) (*Layout, error) {
	size := measure(g, actions.ShapeOf(g, maxNodes), kind)
	if !size.fits(budget) {
		return nil, &SizeError{Spec: GameSpec{Game: g, Cards: kind.String(), Actions: actions}, Size: size, Budget: budget}
	}
	return NewLayout(betting.NewTree(g, size.Shape), abstraction.New(g, kind)), nil
}

// Fits returns a *SizeError if training by an algorithm does not fit in a number of bytes
// of memory: some need more than Prepare assumes.
func (l *Layout) Fits(a Algorithm, budget int64) error {
	size := measure(l.Tree.Game, l.Tree.Shape, l.Cards.Kind)
	entries := int64(l.Entries)
	array := 4 * entries // bytes of an array over all entries
	if a.Quantized {
		array = 2*entries + 4*int64(l.numScales())
		size.Bytes += 2*array - 2*4*entries // the regrets and the sum
		size.Bytes += 4 * entries           // weights that are evaluated
	}
	if a.Predictive {
		size.Bytes += array
	}
	if a.BestResponse {
		size.Bytes += 2 * entries
	}
	if size.Bytes > budget {
		return l.sizeError(size, budget)
	}
	return nil
}

// sizeError is the error for a layout that is too large for training or evaluation.
func (l *Layout) sizeError(size Size, budget int64) *SizeError {
	return &SizeError{Spec: GameSpec{Game: l.Tree.Game, Cards: l.Cards.Kind.String(), Actions: l.Tree.Shape.Betting}, Size: size, Budget: budget}
}

// fits reports whether a game of the size can be laid out in a number of bytes.
func (s *Size) fits(budget int64) bool {
	return s.Shape.Complete && s.Shape.Nodes <= betting.MaxNodes && s.Bytes <= budget
}

// nodeBytes is the size of a node in a layout.
const nodeBytes = 60

// measure adds up the arrays of a layout, a trainer and an evaluator.
func measure(g *acpc.Game, shape betting.Shape, kind abstraction.Kind) Size {
	s := Size{Shape: shape}
	buckets, boards := abstraction.Count(g, kind)
	s.Buckets = buckets
	const bucketBytes = 100 // cards and weights
	index := float64(shape.Bytes())
	before := index + nodeBytes*float64(shape.Nodes)
	for r := range g.NumRounds {
		decisions, actions := float64(shape.Decisions[r]), float64(shape.Actions[r])
		s.InfoSets += decisions * buckets[r]
		s.Entries += actions * buckets[r]

		stride := buckets[r] + (abstraction.Lanes-1)*boards[r] // at most
		index += stride * bucketBytes
		before += stride*(actions*(4+4)+bucketBytes) + dealBytes(g, boards[r], shape.Terminals)
		// A last round keeps the values at the roots of its segments (at most one
		// a decision), an earlier one all its vectors.
		roots := stride * min(decisions, float64(shape.Segments[r])) * (4 + 8 + 8)
		s.RoundBytes = append(s.RoundBytes, memory.Saturate(before+roots+workerBytes(g, r, shape.Widest[r], stride)))
		before += stride * (decisions + actions) * frameVectors * (4 + 8)
	}
	s.IndexBytes, s.Bytes = memory.Saturate(index), s.RoundBytes[g.NumRounds-1]
	return s
}

// workerBytes returns the size of all threads' frames if a round with a number of
// buckets is the last.
func workerBytes(g *acpc.Game, round, nodes int, stride float64) float64 {
	vectors := float64(frameVectors * (nodes + g.NumPlayers))
	hands := math.Exp(logChoose(g.NumSuits*g.NumRanks-g.BoardCards(round), g.NumHoleCards)) // on one board, at most
	width := min(stride, max(frameFloats/vectors, hands+abstraction.Lanes))
	return float64(runtime.GOMAXPROCS(0)) * vectors * width * (4 + 8)
}

// dealBytes returns the size of the tables for terminal values on the boards of one
// round.
func dealBytes(g *acpc.Game, boards float64, ends int) float64 {
	deals, left := boards, g.NumSuits*g.NumRanks-g.BoardCards(g.NumRounds-1)
	for p := range g.NumPlayers {
		if p > 0 && g.NumPlayers == 2 && g.NumHoleCards <= 2 {
			return deals * 4 // only the hands of one player are listed
		}
		deals *= math.Exp(logChoose(left-p*g.NumHoleCards, g.NumHoleCards))
	}
	return deals * float64(g.NumPlayers) * float64(8+12*ends)
}

func logChoose(n, k int) float64 {
	sum := 0.0
	for i := range k {
		sum += math.Log(float64(n-i) / float64(i+1))
	}
	return sum
}

// SizeError is the error for a game that is too large to train.
type SizeError struct {
	Spec   GameSpec
	Bits   int // of a number, if the game is trained by sampling, else 0
	Size   Size
	Budget int64  // bytes that may be used
	Device string // the device that has the memory, "" for this computer
}

func (e *SizeError) Error() string {
	free := memory.Bytes(e.Budget)
	if e.Device != "" {
		free += " of " + e.Device
	}
	needs := fmt.Sprintf("%s of memory (%s information sets, %s entries)",
		memory.Bytes(e.Size.Bytes), amount(e.Size.InfoSets), amount(e.Size.Entries))
	name, cards := e.Spec.Game.Name, e.Spec.Cards
	switch shape := &e.Size.Shape; {
	case !shape.Complete && e.Size.Bytes <= e.Budget:
		return fmt.Sprintf("%s has over %s betting sequences, too many to count", name, amount(float64(shape.Nodes)))
	case !shape.Complete:
		return fmt.Sprintf("%s has over %s betting sequences: with %s cards these alone need %s, %s are free",
			name, amount(float64(shape.Nodes)), cards, needs, free)
	case shape.Nodes > betting.MaxNodes && e.Size.Bytes <= e.Budget:
		return fmt.Sprintf("%s has %s betting sequences, more than the %s that are possible", name, amount(float64(shape.Nodes)), amount(betting.MaxNodes))
	}
	return fmt.Sprintf("%s with %s cards needs %s, %s are free", name, cards, needs, free)
}

// Fit is a change of a training with which it fits in memory. One field is set beside
// Bytes.
type Fit struct {
	Actions betting.Actions
	// Forgetful is set for strategies that forget the betting of earlier rounds.
	Forgetful bool
	Cards     string // another card abstraction
	Bits      int    // of a number
	Rounds    int    // of a game that is cut off after them
	Bytes     int64  // that the training then takes
}

// Fits returns changes with which the game would fit: of each kind the smallest change of
// a few that were tried.
func (e *SizeError) Fits() (fits []Fit) {
	try := func(f Fit, change func(s *GameSpec, bits *int)) bool {
		s, bits := e.Spec, e.Bits
		change(&s, &bits)
		if !e.Size.Shape.Complete && s.Actions.String() == e.Spec.Actions.String() {
			return false // whatever the cards
		}
		size, err := s.sizeFor(bits)
		if err != nil || !size.fits(e.Budget) {
			return false
		}
		f.Bytes = size.Bytes
		fits = append(fits, f)
		return true
	}
	if e.Spec.Game.Betting == acpc.NoLimit && !e.Spec.Actions.HasOpponent() {
		for _, a := range []betting.Actions{betting.FCPA, betting.FCPA2, betting.FCPA1, betting.FCA} {
			if e.Spec.Actions.String() != a.String() && try(Fit{Actions: a}, func(s *GameSpec, _ *int) { s.Actions = a }) {
				break
			}
		}
	}
	// Of two players, not all algorithms that sample train such strategies.
	if e.Bits != 0 && e.Spec.Game.NumPlayers > 2 && !e.Spec.Actions.IsForgetful() {
		try(Fit{Forgetful: true}, func(s *GameSpec, _ *int) { s.Actions = s.Actions.Forgetful() })
	}
	for _, cards := range e.otherCards() {
		if try(Fit{Cards: cards}, func(s *GameSpec, bits *int) {
			*s = s.withCards(cards)
			if abstraction.IsEHS(cards) && *bits == 0 {
				*bits = 32
			}
		}) {
			break
		}
	}
	if e.Bits == 32 {
		try(Fit{Bits: 16}, func(_ *GameSpec, bits *int) { *bits = 16 })
	}
	for r := len(e.Size.RoundBytes) - 2; r >= 0 && e.Size.Shape.Complete; r-- {
		if e.Size.RoundBytes[r] <= e.Budget {
			return append(fits, Fit{Rounds: r + 1, Bytes: e.Size.RoundBytes[r]})
		}
	}
	return fits
}

// otherCards returns card abstractions with fewer information sets, the most first. There are
// none with which a betting tree fits that is too large by itself.
func (e *SizeError) otherCards() (names []string) {
	if !e.Size.Shape.Complete {
		return nil
	}
	if e.Spec.Cards == abstraction.None.String() {
		names = append(names, abstraction.Lossless.String())
	}
	if !abstraction.EHSFits(e.Spec.Game) {
		return names
	}
	if !abstraction.IsEHS(e.Spec.Cards) {
		return append(names, abstraction.EHSName)
	}
	for _, n := range []int{200, 100, 50, 20, 10} {
		name := fmt.Sprintf("%s(%d,%d,%d)", abstraction.EHSName, n, n, n)
		if size, err := e.Spec.withCards(name).sizeFor(e.Bits); err == nil && size.Bytes < e.Size.Bytes {
			names = append(names, name)
		}
	}
	return names
}

// amount formats a count for people.
func amount(n float64) string {
	if n < 1e9 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return fmt.Sprintf("%.3g", n)
}
