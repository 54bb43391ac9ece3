package cfr

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

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

	InfoSets float64
	Entries  float64 // one an action of an information set
	Bytes    int64   // of memory, for training and its evaluation
	// IndexBytes is the size of the tree and the cards, without any strategy.
	IndexBytes int64
	// RoundBytes is Bytes if the game ended after each of its rounds.
	RoundBytes []int64
}

// maxNodes bounds betting trees, and so the time until one is found too large. Such
// trees come from no-limit games with every raise size, or from many players.
const maxNodes = 8_000_000

// Prepare lays out a game with an action abstraction if training it, with as many
// threads as there are processors, fits in a number of bytes of memory. A game
// that does not fit is refused with a [*SizeError] before anything large is
// allocated.
func Prepare(g *acpc.Game, actions betting.Actions, kind abstraction.Kind, budget int64) (*Layout, error) {
	size := measure(g, actions.ShapeOf(g, maxNodes), kind)
	if !size.Shape.Complete || size.Bytes > budget {
		return nil, &SizeError{Game: g, Kind: kind, Size: size, Budget: budget}
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
		return &SizeError{Game: l.Tree.Game, Kind: l.Cards.Kind, Size: size, Budget: budget}
	}
	return nil
}

// nodeBytes is the size of a node in a tree and a layout.
const nodeBytes = 100

// measure adds up the arrays of a layout, a trainer and an evaluator.
func measure(g *acpc.Game, shape betting.Shape, kind abstraction.Kind) Size {
	s := Size{Shape: shape}
	buckets, boards := abstraction.Count(g, kind)
	const bucketBytes = 100 // cards and weights
	index := nodeBytes * float64(shape.Nodes)
	before := index
	for r := range g.NumRounds {
		decisions, actions := float64(shape.Decisions[r]), float64(shape.Actions[r])
		s.InfoSets += decisions * buckets[r]
		s.Entries += actions * buckets[r]

		stride := buckets[r] + (abstraction.Lanes-1)*boards[r] // at most
		index += stride * bucketBytes
		before += stride*(actions*(4+4)+bucketBytes) + dealBytes(g, boards[r], shape.Terminals)
		// A last round keeps the values at the roots of its segments (at most one
		// a decision), an earlier one all its vectors.
		roots := stride * min(decisions, float64(shape.Segments)) * (4 + 8 + 8)
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
	Game   *acpc.Game
	Kind   abstraction.Kind
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
	if !e.Size.Shape.Complete {
		return fmt.Sprintf("%s has over %s betting sequences, too many to lay out: with %s cards these alone need %s, %s are free",
			e.Game.Name, amount(maxNodes), e.Kind, needs, free)
	}
	return fmt.Sprintf("%s with %s cards needs %s, %s are free", e.Game.Name, e.Kind, needs, free)
}

// Hint names smaller games that would fit.
func (e *SizeError) Hint() string {
	var fits []string
	if e.Size.Shape.Betting.All() && e.Game.Betting == acpc.NoLimit {
		if s := betting.FCPA.ShapeOf(e.Game, maxNodes); s.Complete && measure(e.Game, s, e.Kind).Bytes <= e.Budget {
			fits = append(fits, fmt.Sprintf("fewer raises, such as the actions %v", betting.FCPA))
		}
	}
	if e.Kind == abstraction.None {
		if s := e.Size.Shape; s.Complete && measure(e.Game, s, abstraction.Lossless).Bytes <= e.Budget {
			fits = append(fits, "the lossless abstraction")
		}
	}
	if abstraction.EHSFits(e.Game) && e.Size.Shape.Complete {
		fits = append(fits, "the quick abstraction")
	}
	for r := len(e.Size.RoundBytes) - 2; r >= 0 && e.Size.Shape.Complete; r-- {
		if e.Size.RoundBytes[r] <= e.Budget {
			fits = append(fits, fmt.Sprintf("the game cut off after numRounds = %d (%s)", r+1, memory.Bytes(e.Size.RoundBytes[r])))
			break
		}
	}
	if len(fits) == 0 && e.Game.NumPlayers > 2 {
		fits = append(fits, "fewer players or cards, as all their deals are summed over with more than two players")
	}
	if len(fits) == 0 {
		fits = append(fits, fmt.Sprintf("about %s entries; lower maxRaises, numPlayers or the number of cards", amount(float64(e.Budget/8))))
	}
	return "what would fit: " + strings.Join(fits, ", or ")
}

// amount formats a count for people.
func amount(n float64) string {
	if n < 1e9 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return fmt.Sprintf("%.3g", n)
}
