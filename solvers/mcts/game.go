package mcts

// Move is the number of a move, in [0, Game.NumMoves). A move has the same number in
// all positions of a game.
type Move int16

// Proof is the proved result of a position, for the player to move, or of a move, for
// the player who makes it.
type Proof int8

// The proofs. The proof of a move is that of the position after it, seen by the other
// player.
const (
	Unknown Proof = 0
	Win     Proof = 1
	Loss    Proof = -1
	Draw    Proof = 2
)

// Other returns the proof as the other player sees it.
func (p Proof) Other() Proof {
	if p == Draw {
		return Draw
	}
	return -p
}

// Or returns the proof of a position in which the player to move has two moves, with
// the proofs p and o.
func (p Proof) Or(o Proof) Proof {
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

// score returns the proved result: 1 for a win, 0 for a loss, else 1/2.
func (p Proof) score() float32 { return [...]float32{0, 0.5, 1, 0.5}[p+1] }

// Candidate is a legal move, with the knowledge about it before any simulation.
type Candidate struct {
	Move  Move
	Proof Proof
	Prior float32 // bonus to the move's value, in wins per game; it fades with visits
	Plies int     // moves until the end of a proved win or loss, this one included
}

// Game is a two-player game with alternating turns. Its current position is the root of
// the search.
type Game interface {
	// NumMoves returns the number of distinct move numbers.
	NumMoves() int
	// Advance makes a legal move. The position after it becomes the root.
	Advance(Move)
	// Expander returns an expander for one goroutine. It follows the root: after
	// Advance, paths begin at the new one.
	Expander() Expander
}

// Expander generates the moves of positions. One goroutine uses it at a time.
type Expander interface {
	// Candidates appends the moves to try in the position after a path from the root;
	// there is at least one. A move that ends the game has a proof, and others may have
	// one. Moves that are proved to lose may be left out if others remain.
	Candidates(path []Move, moves []Candidate) []Candidate
}

// Studier is an Expander that can also examine a position more closely, which may take
// longer. A search with Options.ProofAfter calls it for nodes with many simulations.
type Studier interface {
	// Study appends those moves of the position after a path that it can prove.
	Study(path []Move, moves []Candidate) []Candidate
}

// Adviser is an Expander that can also give an opinion about a position, which may take far
// longer than to generate its moves. A search with Options.AdviseAfter asks for it at its
// root and at nodes with many simulations.
type Adviser interface {
	// Advise appends moves of the position after a path with the amounts to be added to their
	// priors, and returns the expected result of the player to move, from 0 to 1. It reports
	// false if it has no opinion.
	Advise(path []Move, moves []Candidate) (advised []Candidate, value float32, ok bool)
}

// Keyer is an Expander that identifies positions, so that one that was proved is
// recognised when other moves lead to it.
type Keyer interface {
	// Key returns a hash of the position after a path, or 0 for none. Two different
	// positions, of this root or of earlier ones, have the same key with a probability
	// of about 2^-62.
	Key(path []Move) uint64
}
