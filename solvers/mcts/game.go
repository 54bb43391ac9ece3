package mcts

// Move is a number that a game gives to a move: from 0 to its NumMoves-1. The
// same move has the same number in all positions of the game.
type Move int16

// Proof is what is known for certain of a position or of a move, for the player
// who is to move or who makes it.
type Proof int8

// The proofs. A loss is won by the other player: the proof of a move is that of
// the position after it, negated.
const (
	Unknown Proof = 0
	Win     Proof = 1
	Loss    Proof = -1
	Draw    Proof = 2
)

// other returns the proof for the other player.
func (p Proof) other() Proof {
	if p == Draw {
		return Draw
	}
	return -p
}

// or returns the better of two proofs for who may choose between them.
func (p Proof) or(o Proof) Proof {
	switch {
	case p == Win || o == Win:
		return Win
	case p == Unknown || o == Unknown:
		return Unknown
	case p == Draw || o == Draw:
		return Draw
	}
	return Loss
}

// score returns what a proved result is worth.
func (p Proof) score() float32 { return [...]float32{0, 0.5, 1, 0.5}[p+1] }

// Candidate is a legal move with what is known of it before any simulation.
type Candidate struct {
	Move  Move
	Proof Proof
	Prior float32 // is added to its value, a share of games won, at first
}

// Game is a game of two players who take turns, as a search sees it.
type Game interface {
	// NumMoves returns how many numbers of moves there are.
	NumMoves() int
	// Advance makes a legal move, and what follows it the root.
	Advance(Move)
	// Expander returns something for one goroutine to see positions with. It goes
	// along with the root.
	Expander() Expander
}

// Expander sees what can be done in positions of a game.
type Expander interface {
	// Candidates appends the moves to try in the position after a path from the
	// root, at least one. Moves that end the game have a proof; so may others.
	// Moves that are proved to lose may be left out while there are others.
	Candidates(path []Move, moves []Candidate) []Candidate
}

// Studier is an Expander that can look more closely, which is asked for where many
// simulations go.
type Studier interface {
	// Study appends moves of the position after a path for which it finds proofs.
	Study(path []Move, moves []Candidate) []Candidate
}

// Keyer is an Expander that knows the same position again when other moves lead to
// it, so that it need not be proved twice.
type Keyer interface {
	// Key returns a number for the position after a path, which others, of this root or
	// of one before it, have only by a chance of about one in 2^62; or 0 for none.
	Key(path []Move) uint64
}

// Leaf is a position to be played from, and what came of it.
type Leaf struct {
	Path  []Move // from the root
	Place int    // in its batch
	// Number counts the playouts before this leaf's since the search began, as
	// the source of random numbers.
	Number uint64

	// Score is the sum of the results for the player to move at the root, 1 for a
	// win and 1/2 for a draw.
	Score float32
	// Taken says for each player (0 is to move at the root) and move in how many
	// playouts the player made it after the leaf, and above the lower 16 bits twice
	// the sum of that player's results in those.
	Taken [2][]uint32

	taken []uint32 // all of them
	nodes []uint32 // on the path
	seed  uint64   // its number
}

// maxPlayouts is how many playouts of a batch there can be, so that their points are
// counted in 16 bits.
const maxPlayouts = 1<<15 - 1

func newLeaf(width int) *Leaf {
	l := &Leaf{taken: make([]uint32, 2*width)}
	for side := range l.Taken {
		l.Taken[side] = l.taken[side*width:][:width:width]
	}
	return l
}

// Set sets the results of n games: the points, twice as many as it says, of who is
// to move at the leaf, and what is taken by that player and by the other.
func (l *Leaf) Set(n int, points uint32, taken [2][]uint32) {
	first := len(l.Path) & 1 // who moves at the leaf
	l.Score = float32(points) / 2
	if first == 1 {
		l.Score = float32(n) - l.Score
	}
	for side, t := range taken {
		to := l.Taken[side^first]
		clear(to[copy(to, t):])
	}
}

// add adds another leaf's results.
func (l *Leaf) add(other *Leaf) {
	l.Score += other.Score
	addTo(l.taken, other.taken)
}

// Evaluator plays random games from leaves.
type Evaluator interface {
	// Start begins to play n playouts from each of some leaves. Until Wait
	// returns, the leaves are the evaluator's. The game's root does not change
	// while it plays.
	Start(leaves []*Leaf, n int)
	// Wait waits for what was started first of all that has not been waited for.
	Wait() error
	// Read sets the results of a leaf of the batch that was waited for last.
	// Several goroutines may read different leaves at a time.
	Read(*Leaf)
}
