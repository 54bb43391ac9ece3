package minimax

// Score says how good a position is for the player to move: Win and Loss are
// proven results; what is between them is a draw or an estimate.
type Score int32

// The results of won and lost games.
const (
	Win  Score = 1 << 20
	Loss       = -Win
)

// Game is a game in progress that is searched. M is a move. A game belongs to
// one goroutine at a time.
type Game[M any] interface {
	// AppendMoves appends the legal moves. It is asked of positions that are not
	// over, and appends at least one, fewer than 65,536. The order is that in
	// which they are tried.
	AppendMoves([]M) []M
	// Make makes a legal move.
	Make(M)
	// Unmake takes the last move back.
	Unmake()
	// Score returns the result for the player to move if the game is over, and
	// else what the position is taken for at the limit of the depth: a score
	// between Loss and Win.
	Score() (s Score, over bool)
}

// Keyed is a game for a transposition table: positions with the same key have
// the same score at every depth. Where keys of other positions can be equal, a
// proof is as good as that is rare.
type Keyed interface{ Key() uint64 }

// Looker is a game that can score the position after a move without making it,
// which makes the last ply of a search cheap.
type Looker[M any] interface {
	ScoreAfter(M) (s Score, over bool)
}
