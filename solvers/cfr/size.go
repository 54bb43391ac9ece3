package cfr

import (
	"fmt"
	"math"
	"strings"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction"
)

// Size is what training a game takes.
type Size struct {
	// Nodes is the number of betting sequences, the ends of hands included.
	// Where Complete is false counting stopped there, and all other numbers
	// are lower bounds.
	Nodes    int
	Complete bool

	InfoSets float64
	Entries  float64 // one an action of an information set
	Bytes    float64 // of memory, for training and its evaluation
	// RoundBytes is Bytes if the game ended after each of its rounds.
	RoundBytes []float64
}

// maxNodes bounds the betting trees that are listed. Larger ones come from
// no-limit games with every raise size in them, or from many players.
const maxNodes = 3_000_000

// Prepare lays out a game if training it fits in a number of bytes of memory.
// A game that does not is refused with a *SizeError before anything large is
// allocated.
func Prepare(g *acpc.Game, kind abstraction.Kind, memory float64) (*Layout, error) {
	tree, complete := NewTree(g, maxNodes)
	size := measure(tree, complete, kind)
	if !complete || size.Bytes > memory {
		return nil, &SizeError{Game: g, Kind: kind, Size: size, Memory: memory}
	}
	return NewLayout(tree, abstraction.New(g, kind)), nil
}

// measure adds up the arrays of a layout, a trainer and an evaluator.
func measure(t *Tree, complete bool, kind abstraction.Kind) Size {
	s := Size{Nodes: len(t.Nodes), Complete: complete}
	if !complete {
		s.Nodes = maxNodes
	}
	g := t.Game
	buckets, boards := abstraction.Count(g, kind)
	players := float64(g.NumPlayers)
	bytes := float64(s.Nodes) * 100
	for r := range g.NumRounds {
		entries := float64(t.Actions[r]) * buckets[r]
		s.InfoSets += float64(t.Decisions[r]) * buckets[r]
		s.Entries += entries

		stride := buckets[r] + (abstraction.Lanes-1)*boards[r]
		bytes += float64(t.Actions[r]) * stride * 8         // regrets and strategies
		bytes += stride * 100                               // cards and their weights
		bytes += dealBytes(g, boards[r], len(t.Ends))       // ends of hands
		waiting := float64(t.Decisions[r]+t.Actions[r]) * 3 // frames and the roots' values
		if r == g.NumRounds-1 {
			waiting = float64(len(t.Segments))
		}
		bytes += waiting * stride * 12
		s.RoundBytes = append(s.RoundBytes, bytes+players*frameFloats*12)
	}
	s.Bytes = s.RoundBytes[g.NumRounds-1]
	return s
}

// dealBytes returns what valuing the ends of hands takes on the boards of one
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

// SizeError is a game that is too large to train.
type SizeError struct {
	Game   *acpc.Game
	Kind   abstraction.Kind
	Size   Size
	Memory float64 // bytes there are
}

func (e *SizeError) Error() string {
	least := ""
	if !e.Size.Complete {
		least = "at least "
	}
	return fmt.Sprintf("%s with %s cards needs %s%s of memory (%s%s information sets, %s entries), %s are free",
		e.Game.Name, e.Kind, least, Bytes(e.Size.Bytes), least, amount(e.Size.InfoSets), amount(e.Size.Entries), Bytes(e.Memory))
}

// Hint says what would fit.
func (e *SizeError) Hint() string {
	var fits []string
	if e.Kind == abstraction.None {
		if tree, ok := NewTree(e.Game, maxNodes); ok && measure(tree, ok, abstraction.Lossless).Bytes <= e.Memory {
			fits = append(fits, "the lossless abstraction")
		}
	}
	for r := len(e.Size.RoundBytes) - 2; r >= 0 && e.Size.Complete; r-- {
		if e.Size.RoundBytes[r] <= e.Memory {
			fits = append(fits, fmt.Sprintf("the game cut off after numRounds = %d (%s)", r+1, Bytes(e.Size.RoundBytes[r])))
			break
		}
	}
	if len(fits) == 0 && e.Game.NumPlayers > 2 {
		fits = append(fits, "fewer players or cards, as all their deals are summed over with more than two players")
	}
	if len(fits) == 0 {
		fits = append(fits, fmt.Sprintf("about %s entries; lower maxRaises, numPlayers or the number of cards", amount(e.Memory/8)))
	}
	return "what would fit: " + strings.Join(fits, ", or ")
}

// Bytes formats a number of bytes for people.
func Bytes(n float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	i := 0
	for i < len(units)-1 && n >= 1024 {
		n /= 1024
		i++
	}
	return fmt.Sprintf("%.3g %s", n, units[i])
}

// amount formats a count for people.
func amount(n float64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.3g", n)
}
