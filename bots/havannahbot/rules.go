package havannahbot

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
	"gamebots/solvers/mcts"
)

// Rules are the rules of Havannah with an analyst, which rates moves by a tree search
// with proofs or by playouts.
type Rules struct {
	boards.Havannah

	// Simulations limit a search, for repeatable results. 0 is no limit but the context.
	Simulations int
	// Network returns the network that advises a search; nil is none.
	Network func() *hexnet.Net
}

var _ game.Analyst = Rules{}

// The methods of analysis.
const (
	BySearch   = "search"
	ByPlayouts = "playouts"
)

// Methods names the methods of Analyse.
func (Rules) Methods() []string { return []string{BySearch, ByPlayouts} }

// Analyse rates moves by a search, or by playouts.
func (r Rules) Analyse(ctx context.Context, g game.Game, method string) ([]game.Rated, error) {
	board := boards.HavannahBoard(g)
	if board == nil {
		return nil, errors.New("not a game of Havannah")
	}
	if method == ByPlayouts {
		return Rate(ctx, board, analysisPlayouts, 0)
	}
	a := Analysis{Simulations: r.Simulations}
	if r.Network != nil {
		a.Net = r.Network()
	}
	return a.Rate(ctx, board)
}

// analysisPlayouts after each move are enough to show.
const analysisPlayouts = 1024

// Analysis rates moves by a tree search that looks for proofs first. The zero value
// searches on one thread until the context ends.
type Analysis struct {
	Simulations int         // 0 is no limit
	Threads     int         // threads that play random games; 0 is 1
	Memory      int         // bytes of the tree; 0 is 64 MiB
	Net         *hexnet.Net // network, as in MCTS
	Seed        uint64
	Time        time.Duration // time of the search; 0 is no limit
}

// The settings of an analysis.
const (
	analysisMemory = 64 << 20
	// analysisStudy is after how many simulations a position is examined for proofs. It
	// proves more positions in the same time than a search for a good move does.
	analysisStudy = 4
)

// Rate rates the moves of a position in which the game is not over, best first. It
// leaves out moves that the search has hardly tried. The lines of proved moves go on to
// the end of the game if that takes little time.
func (a Analysis) Rate(ctx context.Context, board *havannah.Board) ([]game.Rated, error) {
	threads := max(a.Threads, 1)
	g := hexsearch.NewAdvisedGame(board, a.Net)
	eval := hexsearch.NewEvaluator(g, threads, a.Seed)
	o := mcts.Options{ProofAfter: analysisStudy, AdviseAfter: adviseAfter, Memory: cmp.Or(a.Memory, analysisMemory)}
	if threads > 1 {
		o.Batch = 2 * threads
	}
	search := mcts.New(g, eval, o)
	within, cancel := limited(ctx, a.Time)
	defer cancel()
	err := search.Run(within, cmp.Or(a.Simulations, math.MaxInt))
	if err = errors.Join(err, eval.Close()); err != nil {
		return nil, err
	}
	rated := rate(search, g)
	return rated, a.extendLines(context.WithoutCancel(ctx), board, rated)
}

// Heat returns the heat map of ratings, best first: 0 for the cell with the lowest value, 1 for that with the highest.
// Where a search has spent more games on some moves than on others, those are the heat, and proofs what they prove:
// values of few games say little. Cells without a rating have none, and a swap is left out.
func Heat(board *havannah.Board, rated []game.Rated) (havannah.Heat, error) {
	heat := make(havannah.Heat, board.Grid().NumCells)
	for cell := range heat {
		heat[cell] = math.NaN()
	}
	worst, best := 1.0, 0.0
	least, most := int64(math.MaxInt64), int64(0)
	for _, r := range rated {
		worst, best = min(worst, r.Value), max(best, r.Value)
		if r.Proof == "" {
			least, most = min(least, r.Work), max(most, r.Work)
		}
	}
	hottest := 1.0 // a move gets no more than those before it
	for _, r := range rated {
		value := r.Value
		switch {
		case most/2 > least:
			if r.Proof == "" {
				value = math.Sqrt(float64(r.Work) / float64(most))
			}
			hottest = min(hottest, value)
			value = hottest
		case best > worst:
			value = (r.Value - worst) / (best - worst)
		}
		move, err := board.Grid().Parse(r.Move)
		if err != nil {
			return nil, err
		}
		if move == havannah.Swap {
			continue
		}
		heat[move] = value
	}
	return heat, nil
}
