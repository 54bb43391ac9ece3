package minimax

// A Score is the value of a position for the player to move. Win and Loss are proven
// results; scores between them are draws or estimates.
type Score int32

// The scores of won and lost games.
const (
	Win  Score = 1 << 20
	Loss       = -Win
)

// A Game is a game in progress, with moves M. Search uses it on one goroutine at a
// time.
type Game[M any] interface {
	// AppendMoves appends the legal moves in the order in which they are to be tried:
	// at least one and fewer than 65,536. The game is not over.
	AppendMoves([]M) []M
	// Make makes a legal move.
	Make(M)
	// Unmake takes back the last move.
	Unmake()
	// Score returns the result for the player to move if the game is over, and else
	// an estimate between Loss and Win, for the depth limit.
	Score() (s Score, over bool)
}

// A Keyed game has keys for a transposition table. Positions with the same key must
// have the same score at every depth: if keys can collide, a proof is only as good as
// collisions are rare.
type Keyed interface{ Key() uint64 }

// A StaticEvaluator is a game that can score the position after a move without making
// it, which makes the last ply of a search cheap. The score is for the player to move
// after the move.
type StaticEvaluator[M any] interface {
	ScoreAfter(M) (s Score, over bool)
}
