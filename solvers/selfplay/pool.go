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
	threads  int // threads that take what was played
	player   player
	here     Player // plays generations on this machine, by the same player
	credit   int    // positions that may be learned from before the next round
	finished uint64 // games
	played   Played

	evaluations uint64 // number of evaluations in all games
}

// player plays rounds of games by a network. One goroutine uses it at a time, but that of the CPU may be closed while
// it plays.
type player interface {
	// play goes on in games until each has ended its rounds.
	play(games []*game) error
	setNet(n *hexnet.Net) error
	close() error
}

// newPool returns a pool whose games have not begun.
func newPool(g *havannah.Grid, n *hexnet.Net, s *Settings, o Options, capacity int) (*pool, error) {
	p := &pool{grid: g, threads: max(o.Threads, 1), window: newWindow(g.NumCells, capacity)}
	for i := range s.games() {
		p.games = append(p.games, newGame(g, rng.At(s.Seed, uint64(g.Side)<<32|uint64(i))))
	}
	if o.Elsewhere != nil {
		return p, nil
	}
	here, err := NewPlayer(g.Side, n, len(p.games), o)
	if err != nil {
		return nil, err
	}
	p.here, p.player = *here, here.player
	return p, nil
}

// round plays a round of all games, and adds the positions of those that ended to the
// window. It returns their number.
func (p *pool) round() (recorded int, err error) {
	for _, g := range p.games {
		g.startRounds(1)
	}
	if err := p.player.play(p.games); err != nil {
		return 0, err
	}
	for _, g := range p.games {
		for i := range g.finished {
			p.window.add(&g.finished[i])
		}
		recorded += len(g.finished)
		p.count(g.played)
	}
	return recorded, nil
}

// count adds what was played.
func (p *pool) count(n Played) {
	p.finished += n.Games
	p.evaluations += n.Evaluations
	p.played.add(n)
}
