package selfplay

import (
	"gamebots/hexproto/havannah"
	"gamebots/internal/rng"
	"gamebots/solvers/hexnet"
)

// pool is the games of one side, and the positions recorded in them.
type pool struct {
	grid     *havannah.Grid
	games    []*game
	window   *window
	player   player
	credit   int    // positions that may be learned from before the next round
	finished uint64 // games
	played   Played

	evaluations uint64 // number of evaluations in all games
}

// player plays rounds of games by a network. One goroutine uses it at a time.
type player interface {
	// play goes on in games until each has ended its round.
	play(games []*game) error
	setNet(n *hexnet.Net) error
	close() error
}

// newPool returns a pool whose games have not begun.
func newPool(g *havannah.Grid, n *hexnet.Net, s *Settings, o Options, capacity int) (*pool, error) {
	p := &pool{grid: g, window: newWindow(g.NumCells, capacity)}
	for i := range s.games() {
		p.games = append(p.games, newGame(g, rng.At(s.Seed, uint64(g.Side)<<32|uint64(i))))
	}
	if o.Device == nil {
		p.player = newCPUPlayer(g, n, o.Threads)
		return p, nil
	}
	var err error
	p.player, err = newDevicePlayer(g, n, o, len(p.games))
	return p, err
}

// round plays a round of all games, and adds the positions of those that ended to the
// window. It returns their number.
func (p *pool) round() (recorded int, err error) {
	for _, g := range p.games {
		g.startRound()
	}
	if err := p.player.play(p.games); err != nil {
		return 0, err
	}
	for _, g := range p.games {
		for i := range g.finished {
			p.window.add(&g.finished[i])
		}
		recorded += len(g.finished)
		p.finished += g.played.Games
		p.evaluations += g.played.Evaluations
		p.played.Games += g.played.Games
		p.played.Moves += g.played.Moves
		p.played.Evaluations += g.played.Evaluations
	}
	return recorded, nil
}
