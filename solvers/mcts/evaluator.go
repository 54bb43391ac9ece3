package mcts

// Evaluator plays playouts from leaves.
type Evaluator interface {
	// Start begins n playouts from each leaf. The leaves belong to the evaluator until
	// Wait has returned for them. The root of the game does not change meanwhile.
	Start(leaves []*Leaf, n int)
	// Wait waits for the earliest batch that was started and not yet waited for.
	Wait() error
	// Read sets the results of a leaf of the batch that was last waited for. Several
	// goroutines may read different leaves at a time.
	Read(*Leaf)
}

// Leaf is a position to play from, and the results of its playouts.
type Leaf struct {
	Path  []Move // from the root
	Index int    // index in its batch
	// FirstPlayout is the number of the leaf's first playout, counted from the start of
	// the search. It selects the random numbers.
	FirstPlayout uint64

	// Score is the sum of the results for the player to move at the root: 1 for a win,
	// 1/2 for a draw.
	Score float32
	// AMAF has the "all moves as first" counts, by player (0 is to move at the root) and
	// move. The lower 16 bits count the playouts in which the player made the move after
	// the leaf; the upper 16 bits are twice the player's results in those.
	AMAF [2][]uint32

	amaf    []uint32 // backs AMAF
	nodes   []uint32 // on the path
	statsID uint64   // number of its entry in leafStats
}

// maxPlayouts bounds the playouts of a batch, so that AMAF counts fit into 16 bits.
const maxPlayouts = 1<<15 - 1

func newLeaf(width int) *Leaf {
	l := &Leaf{amaf: make([]uint32, 2*width)}
	for side := range l.AMAF {
		l.AMAF[side] = l.amaf[side*width:][:width:width]
	}
	return l
}

// Set sets the results of n playouts. Points are twice the results of the player to move
// at the leaf; amaf has the counts of that player, then of the other one, in the format
// of AMAF.
func (l *Leaf) Set(n int, points uint32, amaf [2][]uint32) {
	first := len(l.Path) & 1 // who moves at the leaf
	l.Score = float32(points) / 2
	if first == 1 {
		l.Score = float32(n) - l.Score
	}
	for side, counts := range amaf {
		to := l.AMAF[side^first]
		clear(to[copy(to, counts):])
	}
}

// add adds the results of another leaf.
func (l *Leaf) add(other *Leaf) {
	l.Score += other.Score
	addCounts(l.amaf, other.amaf)
}
