package nmcs

// Move is the number that a game gives to a move.
type Move uint32

// Game is a single-player game in progress; G is the implementing type itself. A higher
// score is better, and only the score of a finished game counts.
type Game[G any] interface {
	// AppendMoves appends the legal moves, in an order that depends on the position
	// only. There are none when the game is over.
	AppendMoves([]Move) []Move
	// Play makes a legal move.
	Play(Move)
	// CopyFrom makes the game a copy of another one.
	CopyFrom(G)
	// Score returns the score of the moves so far.
	Score() int
}

// Playouter is a game that plays uniform playouts itself, faster than move by move. It
// must use one draw of [Stream.Below] per move, among the legal moves in their order.
type Playouter interface {
	// Playout plays to the end and appends its moves.
	Playout(s *Stream, played []Move) []Move
}

// Line is a sequence of moves from the start of a search to the end of the game.
type Line struct {
	Moves []Move
	Score int
}

// set makes the line a copy of another one.
func (l *Line) set(to Line) {
	l.Moves, l.Score = append(l.Moves[:0], to.Moves...), to.Score
}

// Work counts playouts, and the moves made in them.
type Work struct{ Playouts, Steps uint64 }

// Add adds other work.
func (w *Work) Add(more Work) {
	w.Playouts += more.Playouts
	w.Steps += more.Steps
}
