package nmcs

import "fmt"

// A Move is a move as a game numbers it.
type Move uint32

// Game is a single-player game in progress, of the type G itself. A higher score
// is better, and only that of a game that is over counts.
type Game[G any] interface {
	// AppendMoves appends the legal moves, in an order that depends on nothing
	// but the position; none when the game is over.
	AppendMoves([]Move) []Move
	// Play makes a legal move.
	Play(Move)
	// CopyFrom makes the game what another one is.
	CopyFrom(G)
	// Score is that of the moves played so far.
	Score() int
}

// A Playouter plays uniform playouts to the end itself, faster than through its
// moves one by one, with the draws of [Stream.Below] among the moves in their
// order, one for each move. It appends the moves that it plays.
type Playouter interface {
	Playout(s *Stream, played []Move) []Move
}

// A ForcedMoveTester game knows which of its moves leave exactly one move.
type ForcedMoveTester interface {
	Forces(Move) bool
}

// MoveCoder games number their moves so that those of different positions are told
// apart, from 0 to Codes()-1; this is what policies of [NRPA] are about.
type MoveCoder interface {
	NumCodes() int
	Code(Move) int
}

// A Policy is how playouts choose moves.
type Policy int

const (
	// Uniform draws among all moves alike.
	Uniform Policy = iota
	// FavourForced draws among the moves that leave exactly one move, where there
	// are such (D. Kinny, A New Approach to the Snake-In-The-Box Problem, ECAI 2012).
	FavourForced
)

// ParsePolicy reads a policy's name.
func ParsePolicy(s string) (Policy, error) {
	for p := Uniform; p <= FavourForced; p++ {
		if p.String() == s {
			return p, nil
		}
	}
	return 0, fmt.Errorf("%q is none of %v and %v", s, Uniform, FavourForced)
}

func (p Policy) String() string {
	if p == FavourForced {
		return "forced"
	}
	return "uniform"
}

// A Line is a game from where a search started to its end.
type Line struct {
	Moves []Move
	Score int
}

// set makes the line a copy of another one.
func (l *Line) set(to Line) {
	l.Moves, l.Score = append(l.Moves[:0], to.Moves...), to.Score
}

// Work is what was done: playouts, and the moves that they made.
type Work struct{ Playouts, Steps uint64 }

// Add adds the work of others.
func (w *Work) Add(more Work) {
	w.Playouts += more.Playouts
	w.Steps += more.Steps
}
