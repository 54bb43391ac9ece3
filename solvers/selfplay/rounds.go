package selfplay

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gamebots/hexproto/havannah"
	"gamebots/internal/parallel"
	"gamebots/solvers/hexnet"
)

// Rounds are rounds of games on boards of a side, by one network. They may be played anywhere, and in parts: no game
// depends on another.
type Rounds struct {
	Side   int
	Rounds int
	Games  []GameState
}

// PlayFunc plays rounds by a network, and returns the progress of each game.
type PlayFunc func(n *hexnet.Net, r *Rounds) ([]Progress, error)

// GameState is a game between two rounds.
type GameState struct {
	Random uint64
	Moves  []uint16 // cells; none before its first round
}

// Progress is what rounds have made of a game, and of those that followed it.
type Progress struct {
	GameState
	Record []Recorded // positions of the game that goes on
	Ended  []Ended
	Played Played
}

// Ended is a game that ended in a round, counted from 0, with the positions recorded since the first round.
type Ended struct {
	Round  int
	Moves  []uint16
	Record []Recorded
}

// Recorded is a recorded position.
type Recorded struct {
	Ply    int
	Policy []uint16 // probabilities of cells, in units of 1/65535
}

// Player plays rounds on this machine. One goroutine uses it at a time.
type Player struct {
	grid   *havannah.Grid
	player player
	games  []*game
	most   int // games at a time, or 0 for any number
}

// NewPlayer returns a player by networks of the size of n, on a device of at most so many games at a time.
func NewPlayer(side int, n *hexnet.Net, games int, o Options) (*Player, error) {
	if side < minSide || side > havannah.MaxSide || games < 2 || games > MaxGames {
		return nil, fmt.Errorf("%d games on side %d", games, side)
	}
	g, err := havannah.GridOf(side)
	if err != nil {
		return nil, err
	}
	p := &Player{grid: g}
	if o.Device == nil {
		p.player = newCPUPlayer(g, n, o.Threads)
		return p, nil
	}
	p.most = games
	p.player, err = newDevicePlayer(g, n, o, games)
	return p, err
}

// Close frees the memory on the device.
func (p *Player) Close() error { return p.player.close() }

// Play plays rounds by a network. When the context ends it returns the cause.
func (p *Player) Play(ctx context.Context, n *hexnet.Net, r *Rounds) ([]Progress, error) {
	if r.Side != p.grid.Side || p.most > 0 && len(r.Games) > p.most || r.Rounds < 1 || r.Rounds > maxRounds {
		return nil, fmt.Errorf("%d rounds of %d games on side %d", r.Rounds, len(r.Games), r.Side)
	}
	if err := p.player.setNet(n); err != nil {
		return nil, err
	}
	for len(p.games) < len(r.Games) {
		p.games = append(p.games, newGame(p.grid, 0))
	}
	games, all := p.games[:len(r.Games)], make([]Progress, len(r.Games))
	for i, g := range games {
		if err := g.restore(&savedGame{Random: r.Games[i].Random, Moves: slices.Clone(r.Games[i].Moves)}); err != nil {
			return nil, fmt.Errorf("game %d: %w", i, err)
		}
		g.startRounds(r.Rounds)
		g.onEnd = func() {
			round := r.Rounds - 1 - g.rounds
			all[i].Ended = append(all[i].Ended, Ended{round, slices.Clone(g.moves), recordedOf(g.record)})
		}
	}
	if err := p.player.play(ctx, games); err != nil {
		return nil, err
	}
	for i, g := range games {
		all[i].GameState = GameState{uint64(g.random), slices.Clone(g.moves)}
		all[i].Record, all[i].Played = recordedOf(g.record), g.played
	}
	return all, nil
}

// maxRounds bounds the rounds that are played at once.
const maxRounds = 64

func recordedOf(record []sample) []Recorded {
	all := make([]Recorded, len(record))
	for i := range record {
		all[i] = Recorded{record[i].Ply, record[i].Policy}
	}
	return all
}

// take goes on in all games of a pool by what rounds have made of them, and adds the positions of those that ended to
// the window in the order of the rounds and then of the games, as [pool.round] does. It returns their number. It trusts
// nobody: the progress may come from another machine.
func (p *pool) take(rounds int, all []Progress) (added int, err error) {
	if len(all) != len(p.games) {
		return 0, fmt.Errorf("%d games, not %d", len(all), len(p.games))
	}
	ended, errs := make([][][]sample, len(all)), make([]error, len(all))
	parallel.For(p.threads, len(all), func(_, i int) {
		var err error
		if ended[i], err = p.follow(p.games[i], rounds, &all[i]); err != nil {
			errs[i] = fmt.Errorf("game %d: %w", i, err)
		}
	})
	if err := cmp.Or(errs...); err != nil {
		return 0, err
	}
	for round := range rounds {
		for i := range all {
			for k, record := range ended[i] {
				if all[i].Ended[k].Round == round {
					for at := range record {
						p.window.add(&record[at])
					}
					added += len(record)
				}
			}
		}
	}
	for i := range all {
		p.played.add(all[i].Played)
	}
	return added, nil
}

// follow goes on in a game by what rounds have made of it, and returns the positions of each game that ended.
func (p *pool) follow(g *game, rounds int, x *Progress) (ended [][]sample, err error) {
	for before, e := range x.Ended {
		if e.Round < 0 || e.Round >= rounds || before > 0 && e.Round < x.Ended[before-1].Round {
			return nil, fmt.Errorf("it ended in round %d of %d", e.Round, rounds)
		}
		record, err := samplesOf(p.grid, e.Moves, e.Record)
		if err != nil {
			return nil, err
		}
		board, err := boardAfter(p.grid, e.Moves)
		switch {
		case err != nil:
			return nil, err
		case !board.Over():
			return nil, fmt.Errorf("it has not ended after %d moves", len(e.Moves))
		}
		record = append(g.record, record...)
		for i := range record {
			record[i].finish(&board, e.Moves)
		}
		ended, g.record = append(ended, record), nil
	}
	record, err := samplesOf(p.grid, x.Moves, x.Record)
	if err != nil {
		return nil, err
	}
	return ended, g.restore(&savedGame{x.Random, x.Moves, append(g.record, record...)})
}

// samplesOf returns recorded positions of a game with these moves.
func samplesOf(g *havannah.Grid, moves []uint16, record []Recorded) ([]sample, error) {
	all := make([]sample, len(record))
	for i, r := range record {
		if r.Ply < 1 || r.Ply > len(moves) || len(r.Policy) != g.NumCells {
			return nil, fmt.Errorf("a position after %d of %d moves, with the policy of %d cells", r.Ply, len(moves),
				len(r.Policy))
		}
		board, err := boardAfter(g, moves[:r.Ply])
		if err != nil {
			return nil, err
		}
		all[i] = positionOfGame(g, &board, moves[:r.Ply])
		all[i].Policy = r.Policy
	}
	return all, nil
}

// A generation is some steps of learning, and the games whose positions come with the first of them. They are played
// by the network as it was a generation earlier, so that they can be played while it learns, on threads or elsewhere. A
// GPU here does one after the other. The results are the same.

// waves are the rounds of a generation, by pool.
type waves [][]wave

type wave struct {
	rounds   int
	progress []Progress
}

// begins reports whether a generation begins with a step.
func (t *Training) begins(step uint64) bool {
	return t.settings.Generation > 0 && step%uint64(t.settings.Generation) == 0
}

// begin adds the positions of the generation that begins with the next step, and has those of the next one played.
func (t *Training) begin() error {
	if t.playing == nil {
		if err := t.startPlaying(t.Steps()); err != nil {
			return err
		}
	}
	all, err := t.playing()
	t.playing = nil
	if err != nil {
		return &unplayedError{err}
	}
	for i, p := range t.pools {
		for _, w := range all[i] {
			added, err := p.take(w.rounds, w.progress)
			if err != nil {
				return fmt.Errorf("side %d: %w", p.grid.Side, err)
			}
			p.credit += uses * added
		}
	}
	if t.plays, err = t.Net(); err != nil {
		return err
	}
	if next := t.Steps() + uint64(t.settings.Generation); t.background && (t.until == 0 || next < t.until) {
		return t.startPlaying(next)
	}
	return nil
}

// unplayedError is the error of games that were not played. The training is as before the step.
type unplayedError struct{ error }

func (e *unplayedError) Unwrap() error { return e.error }

// startPlaying has the games of the generation played that begins with a step.
func (t *Training) startPlaying(first uint64) (err error) {
	if t.plays == nil {
		if t.plays, err = t.Net(); err != nil {
			return err
		}
	}
	missing, states, held := make([]int, len(t.pools)), make([][]GameState, len(t.pools)), make([][]int, len(t.pools))
	for i, p := range t.pools {
		steps := t.stepsUntil(p.grid.Side, first+uint64(t.settings.Generation)) - t.stepsUntil(p.grid.Side, t.Steps())
		missing[i] = max((batchSize*int(steps)-p.credit+uses-1)/uses, batchSize-int(min(p.window.Added, batchSize)))
		for _, g := range p.games {
			states[i] = append(states[i], GameState{uint64(g.random), g.moves})
			held[i] = append(held[i], len(g.record))
		}
	}
	net := t.plays
	play := func() (all waves, err error) {
		for i := range t.pools {
			w, err := t.play(net, t.pools[i], missing[i], states[i], held[i])
			if err != nil {
				return nil, err
			}
			all = append(all, w)
		}
		return all, nil
	}
	if t.playing = play; t.background {
		t.playing = inBackground(play)
	}
	return nil
}

// inBackground calls a function, and returns one that waits for its results.
func inBackground[T any](f func() (T, error)) func() (T, error) {
	var v T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		v, err = f()
	}()
	return func() (T, error) { <-done; return v, err }
}

// play plays rounds until so many positions more have a result.
func (t *Training) play(
	n *hexnet.Net, p *pool, missing int, games []GameState, held []int,
) (all []wave, err error) {
	for rounds, got := 0, 0; missing > 0; {
		// About fullRounds of 7 rounds record a position, which counts when its game ends. While few games end, more
		// rounds are played each time, up to twice as many. A round too many is not lost, and costs less than waiting
		// for all games once more.
		perRound, next := fullRounds*len(games), 2*rounds
		if got > 0 {
			next = min(next, rounds*missing/(2*got))
		}
		rounds = min(max(next, (7*missing+perRound-1)/perRound), maxRounds)
		r := &Rounds{Side: p.grid.Side, Rounds: rounds, Games: games}
		var progress []Progress
		if t.elsewhere != nil {
			progress, err = t.elsewhere(n, r)
		} else {
			progress, err = p.here.Play(context.Background(), n, r)
		}
		if err != nil {
			return nil, err
		}
		all, games, got = append(all, wave{rounds, progress}), make([]GameState, len(progress)), missing
		for i, x := range progress {
			games[i] = x.GameState
			for _, e := range x.Ended {
				missing -= held[i] + len(e.Record)
				held[i] = 0
			}
			held[i] += len(x.Record)
		}
		got -= missing
	}
	return all, nil
}

// stepsUntil returns how many of the first steps are on boards of a side.
func (t *Training) stepsUntil(side int, steps uint64) (n uint64) {
	turns := uint64(len(t.settings.Sides))
	for i, s := range t.settings.Sides {
		if s == side {
			n += (steps + turns - 1 - uint64(i)) / turns
		}
	}
	return n
}

// add adds what was played elsewhere.
func (p *Played) add(other Played) {
	p.Games += other.Games
	p.Moves += other.Moves
	p.Evaluations += other.Evaluations
}
