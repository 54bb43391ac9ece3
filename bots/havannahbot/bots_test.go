package havannahbot

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/cudalib"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/hexsearch"
)

func stateOf(side string, moves ...string) *wire.Game {
	g := &wire.Game{
		Game: "g1", Rules: boards.HavannahName, Options: json.RawMessage(`{"side":` + side + `}`), Turn: len(moves),
	}
	for i, m := range moves {
		g.Moves = append(g.Moves, wire.Move{Turn: i, Seat: i % 2, Move: m})
	}
	return g
}

// probe is a player that keeps the position of a game that it is to open.
type probe struct{ at *hexproto.Position }

func (p probe) Open(_ context.Context, at hexproto.Position) (hexproto.Decider, error) {
	*p.at = at
	return nil, nil
}

// at returns the position of a seat in a game's state.
func at(t *testing.T, g *wire.Game, seat int) (p hexproto.Position) {
	t.Helper()
	if _, err := Bot(probe{&p}).Open(t.Context(), g, seat); err != nil {
		t.Fatal(err)
	}
	return p
}

func decide(t *testing.T, player hexproto.Player, g *wire.Game) hexproto.Decision {
	t.Helper()
	e, err := Bot(player).Open(t.Context(), g, g.Turn%2)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	d, err := e.Decide(t.Context(), g, hexproto.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// match plays a game of two bots and returns who won.
func match(t *testing.T, tag string, players [2]hexproto.Player) (moves string, winner havannah.Colour) {
	t.Helper()
	g := stateOf("4")
	g.Tag = tag
	for {
		board := boards.HavannahBoard(at(t, g, 0).Game)
		if board.Over() {
			return board.String(), board.Winner()
		}
		seat := int(board.Turn()) - 1
		d := decide(t, players[seat], g)
		g.Moves = append(g.Moves, wire.Move{Turn: g.Turn, Seat: seat, Move: d.Move})
		g.Turn++
	}
}

func TestPlayoutsBeatRandom(t *testing.T) {
	playouts, random := Playouts{Seed: 1, Games: 64}, Random{Seed: 2}
	for i, tag := range []string{"a", "b", "c", "d"} {
		bots, mine := [2]hexproto.Player{playouts, random}, havannah.White
		if i%2 == 1 {
			bots, mine = [2]hexproto.Player{random, playouts}, havannah.Black
		}
		moves, winner := match(t, tag, bots)
		if winner != mine {
			t.Errorf("%s: %v, not %v", moves, winner, mine)
		}
		if again, _ := match(t, tag, bots); again != moves {
			t.Errorf("the game %s went %s, then %s", tag, moves, again)
		}
	}
}

func TestWinningMove(t *testing.T) {
	// White has all of the first row but a4, which makes the bridge.
	d := decide(t, Playouts{Games: 32}, stateOf("4", "a1", "d1", "a2", "d2", "a3", "d4"))
	if d.Move != "a4" || d.Rated[0].Value != 1 {
		t.Errorf("%+v, not a4", d)
	}
}

// A network makes as many evaluations as it may, and none for a move that wins.
func TestGumbel(t *testing.T) {
	n := hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1)
	if d := decide(t, Gumbel{Net: n, Evaluations: 40}, stateOf("4", "a1", "d4")); d.Rated[0].Work != 40 {
		t.Errorf("%+v, not 40 evaluations", d)
	}
	if d := decide(t, Gumbel{Net: n}, stateOf("4", "a1", "d1", "a2", "d2", "a3", "d4")); d.Move != "a4" ||
		d.Rated[0].Value != 1 || d.Rated[0].Work != 0 {
		t.Errorf("%+v, not a4", d)
	}
	if d := decide(t, Gumbel{Net: n, Evaluations: 5}, stateOf("3")); d.Move == "" {
		t.Errorf("no first move: %+v", d)
	}
}

// The first move of a game, too, is that of a search with as many evaluations as there is time for,
// though the speed is not known before it.
func TestGumbelFirstMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, state := hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1), stateOf("6", "a1", "d4")
		for _, evaluations := range []int{40, 200, 1000} {
			want := decide(t, Gumbel{Net: n, Evaluations: evaluations}, state).Rated[0]
			e, err := Gumbel{Net: n, Time: time.Second}.Open(t.Context(), at(t, state, 0))
			if err != nil {
				t.Fatal(err)
			}
			engine := e.(*gumbelEngine)
			engine.network = &cpuNetwork{Network: slowNetwork{engine.network, time.Second / time.Duration(evaluations)}}
			start := time.Now()
			d, err := e.Decide(t.Context(), at(t, state, 0), 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Rated[0]; !reflect.DeepEqual(got, want) || time.Since(start) > time.Second {
				t.Errorf("%+v in %v, and by %d evaluations %+v", got, time.Since(start), evaluations, want)
			}
		}
	})
}

// The first stone keeps its time, too: by the cells that there was time for.
func TestGumbelFirstStone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, state := hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1), stateOf("8")
		for _, allowed := range []time.Duration{time.Millisecond, 10 * time.Millisecond} {
			e, err := Gumbel{Net: n, Time: allowed}.Open(t.Context(), at(t, state, 0))
			if err != nil {
				t.Fatal(err)
			}
			engine := e.(*gumbelEngine)
			engine.network = &cpuNetwork{Network: slowNetwork{engine.network, time.Millisecond}}
			start := time.Now()
			if d, err := e.Decide(t.Context(), at(t, state, 0), 0); err != nil || d.Move == "" {
				t.Errorf("%+v, %v", d, err)
			}
			if spent := time.Since(start); spent > allowed+time.Millisecond {
				t.Errorf("%v instead of %v", spent, allowed)
			}
		}
	})
}

// A network without a limit of evaluations makes as many as there is time for, with clocks or
// without, and never fewer than it takes to try some moves. It keeps the time if it is given both.
func TestGumbelTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const perEvaluation = time.Millisecond
		for _, test := range []struct {
			name        string
			bot         Gumbel
			budget      hexproto.Budget
			deadline    time.Duration // the caller's deadline
			least, most int           // evaluations
		}{
			{"no limit", Gumbel{}, hexproto.Budget{}, time.Hour, DefaultEvaluations, DefaultEvaluations},
			{"time", Gumbel{Time: time.Second}, hexproto.Budget{}, time.Hour, 990, 1000},
			{"a clock", Gumbel{}, hexproto.Budget{Left: 2 * time.Second, PerMove: 2 * time.Second}, time.Hour,
				1780, 1800},
			{"a clock, and the caller's deadline", Gumbel{},
				hexproto.Budget{Left: 2 * time.Second, PerMove: 2 * time.Second}, 500 * time.Millisecond, 490, 500},
			{"evaluations and a clock", Gumbel{Evaluations: 5000},
				hexproto.Budget{Left: time.Second, PerMove: time.Second}, time.Hour, 890, 910},
			{"next to no time", Gumbel{}, hexproto.Budget{Left: time.Millisecond}, time.Hour, 2, 2},
		} {
			test.bot.Net = hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1)
			position := at(t, stateOf("6", "a1", "d4"), 0)
			e, err := test.bot.Open(t.Context(), position)
			if err != nil {
				t.Fatal(err)
			}
			engine := e.(*gumbelEngine)
			engine.network = &cpuNetwork{Network: slowNetwork{engine.network, perEvaluation}}
			ctx, cancel := context.WithTimeout(t.Context(), test.deadline)
			d, err := e.Decide(ctx, position, test.budget.ForMove(position.Game))
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if n := int(d.Rated[0].Work); n < test.least || n > test.most {
				t.Errorf("%s: %d evaluations, not %d to %d", test.name, n, test.least, test.most)
			}
		}
	})
}

// Batches that are under way together change nothing if the number of evaluations is given.
func TestGumbelBatches(t *testing.T) {
	n := hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1)
	for _, moves := range [][]string{{"a1"}, {"a1", "d4"}, {"c3", "d4", "e5", "b2"}} {
		state := stateOf("5", moves...)
		want := decide(t, Gumbel{Net: n, Evaluations: 300}, state)
		e, err := Gumbel{Net: n, Evaluations: 300, Threads: 3}.Open(t.Context(), at(t, state, 0))
		if err != nil {
			t.Fatal(err)
		}
		engine := e.(*gumbelEngine)
		engine.network, engine.underWay = &queue{Network: engine.network}, 2
		if got, err := e.Decide(t.Context(), at(t, state, 0), 0); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("after %v: %+v, %v, not %+v", moves, got, err, want)
		}
	}
}

// queue is a network with any number of batches under way.
type queue struct {
	hexsearch.Network
	batches [][]uint8
}

func (q *queue) Start(planes []uint8) error {
	q.batches = append(q.batches, slices.Clone(planes))
	return nil
}

func (q *queue) Wait(o *hexnet.Outputs) error {
	first := q.batches[0]
	q.batches = q.batches[1:]
	return q.Evaluate(first, o)
}

// Where batches cost the same whatever their size, a search that is limited by time fills them.
func TestGumbelInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		state := stateOf("6", "a1", "d4")
		e, err := Gumbel{Net: hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1), Time: time.Second,
			Threads: 4}.Open(t.Context(), at(t, state, 0))
		if err != nil {
			t.Fatal(err)
		}
		engine := e.(*gumbelEngine)
		engine.network, engine.underWay = &queue{Network: slowBatches{engine.network, time.Millisecond * 10}}, 2
		d, err := e.Decide(t.Context(), at(t, state, 0), 0)
		if err != nil {
			t.Fatal(err)
		}
		if n := d.Rated[0].Work; n < 1300 {
			t.Errorf("%d evaluations in 100 batches of up to 16", n)
		}
	})
}

// slowBatches takes a time for each batch.
type slowBatches struct {
	hexsearch.Network
	each time.Duration
}

func (n slowBatches) Evaluate(planes []uint8, o *hexnet.Outputs) error {
	time.Sleep(n.each)
	return n.Network.Evaluate(planes, o)
}

// A network that fails ends the move with its error, before the first search and in one.
func TestGumbelFails(t *testing.T) {
	for name, bot := range map[string]Gumbel{"evaluations": {Evaluations: 40}, "time": {Time: time.Second}} {
		for _, moves := range [][]string{nil, {"a1", "d4"}} {
			bot.Net = hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1)
			state := stateOf("4", moves...)
			e, err := bot.Open(t.Context(), at(t, state, 0))
			if err != nil {
				t.Fatal(err)
			}
			lost := errors.New("the device is lost")
			e.(*gumbelEngine).network = &cpuNetwork{Network: failingNetwork{lost}}
			if _, err := e.Decide(t.Context(), at(t, state, 0), 0); !errors.Is(err, lost) {
				t.Errorf("%s, after %d moves: error %v", name, len(moves), err)
			}
		}
	}
}

type failingNetwork struct{ err error }

func (n failingNetwork) Evaluate([]uint8, *hexnet.Outputs) error { return n.err }

// slowNetwork takes a time for each position of a batch.
type slowNetwork struct {
	hexsearch.Network
	each time.Duration
}

func (n slowNetwork) Evaluate(planes []uint8, o *hexnet.Outputs) error {
	err := n.Network.Evaluate(planes, o)
	time.Sleep(n.each * time.Duration(len(o.Value)))
	return err
}

func TestNoTimeAtAll(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	board := boards.HavannahBoard(at(t, stateOf("8"), 0).Game)
	rated, err := Rate(ctx, board, 1<<20, 0)
	if err != nil || len(rated) != 169 || rated[0].Work == 0 {
		t.Errorf("%d moves, %v", len(rated), err)
	}
}

func TestRefused(t *testing.T) {
	nim := stateOf("4")
	nim.Rules = "nim"
	for _, g := range []*wire.Game{nim, stateOf("99"), stateOf("4", "a1", "a1"), stateOf("4", "z9"), stateOf("{}")} {
		for _, player := range []hexproto.Player{Random{}, Playouts{}} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := Bot(player).Open(ctx, g, 0); err == nil {
				t.Errorf("%s %s %v was opened", g.Rules, g.Options, g.Moves)
			}
			cancel()
		}
	}
}

func TestMCTSBeatsPlayouts(t *testing.T) {
	thinker, playouts := MCTS{Seed: 1, Simulations: 400, Memory: 8 << 20}, Playouts{Seed: 2, Games: 16}
	won := 0
	for i, tag := range []string{"a", "b", "c", "d"} {
		bots, mine := [2]hexproto.Player{thinker, playouts}, havannah.White
		if i%2 == 1 {
			bots, mine = [2]hexproto.Player{playouts, thinker}, havannah.Black
		}
		moves, winner := match(t, tag, bots)
		if winner == mine {
			won++
		}
		if again, _ := match(t, tag, bots); again != moves {
			t.Errorf("the game %s went %s, then %s", tag, moves, again)
		}
	}
	if won < 3 {
		t.Errorf("won %d of 4", won)
	}
}

// TestMCTSFollows keeps its tree along a game, and starts again where the moves
// are others.
func TestMCTSFollows(t *testing.T) {
	e, err := Bot(MCTS{Simulations: 300, Memory: 8 << 20, Threads: 2, Ponder: true}).Open(t.Context(), stateOf("5"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, moves := range [][]string{nil, {"e5", "swap"}, {"e5", "swap", "d4", "d5"}, {"a1", "a2"}, {"a1"}} {
		d, err := e.Decide(t.Context(), stateOf("5", moves...), hexproto.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		at(t, stateOf("5", append(moves, d.Move)...), 0)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	e.(hexproto.Ponderer).Ponder(ctx, stateOf("5", "a1", "b2"))
	ended, end := context.WithCancel(t.Context())
	end()
	if d, err := e.Decide(ended, stateOf("5", "a1", "b2"), hexproto.Budget{Left: time.Minute}); err != nil ||
		d.Rated[0].Work == 0 {
		t.Errorf("%+v, %v", d, err)
	}
}

// A tree search with a network uses no GPU: it says so if one was asked for, and looks for
// none by itself.
func TestNetworkStaysOnCPU(t *testing.T) {
	n := hexnet.New(hexnet.Config{Blocks: 1, Channels: 16}, 1)
	cuda, err := cudalib.ParseChoice("cuda")
	if err != nil {
		t.Fatal(err)
	}
	bot := MCTS{Net: n, Device: cuda}
	if err := bot.Check(); !errors.Is(err, ErrNetworkOnGPU) {
		t.Errorf("checked: %v", err)
	}
	if _, err := bot.Open(t.Context(), at(t, stateOf("4"), 0)); !errors.Is(err, ErrNetworkOnGPU) {
		t.Errorf("opened: %v", err)
	}
	e, err := MCTS{Net: n, Memory: 8 << 20}.Open(t.Context(), at(t, stateOf("4"), 0))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if d := e.(*mctsEngine).Device; !d.CPU() {
		t.Errorf("the device is %v", d)
	}
}
