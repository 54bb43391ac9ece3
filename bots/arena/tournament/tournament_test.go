package tournament

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/arena/store"
	"gamebots/bots/grid"
	"gamebots/bots/havannahbot"
	"gamebots/bots/nimbot"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/strategy"

	"github.com/zeebo/xxh3"
	"go.uber.org/goleak"
)

// botEnv makes the test program a bot: call or raise, or one that fails.
const botEnv = "TOURNAMENT_BOT"

func TestMain(m *testing.M) {
	if kind := os.Getenv(botEnv); kind != "" {
		os.Exit(bot(kind, os.Args[len(os.Args)-2:]))
	}
	goleak.VerifyTestMain(m)
}

// testPlayers returns players with a few bots.
func testPlayers() *Players {
	return &Players{
		Programs: true,
		Rules:    []game.Rules{boards.Havannah{}, boards.Nim{}},
		Bot: func(e configs.Engine) (hexproto.Bot, error) {
			switch e.Kind {
			case "random", "gumbel":
				return hexproto.ByRules{
					boards.HavannahName: havannahbot.Bot(havannahbot.Random{Seed: e.Seed}),
					boards.NimName:      nimbot.Bot(nimbot.XOR{Seed: e.Seed, Slips: 1}),
				}, nil
			case "xor":
				return nimbot.Bot(nimbot.XOR{Seed: e.Seed}), nil
			}
			return nil, fmt.Errorf("no bot is called %s", e.Kind)
		},
		Train: trainPlayer,
	}
}

// trainPlayer is a [Players.Train].
func trainPlayer(ctx context.Context, _ string, spec train.Spec, iterations uint64, file string) error {
	t, err := train.Open(spec, train.Options{})
	if err != nil {
		return err
	}
	for t.Iterations() < iterations && ctx.Err() == nil {
		t.Step()
	}
	return t.Save(file, strategy.Meta{})
}

// settings reads a run from TOML.
func settings(t *testing.T, text string) *configs.Arena {
	t.Helper()
	file := filepath.Join(t.TempDir(), "arena.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	a := configs.DefaultArena()
	if err := configs.Load(file, &a, nil); err != nil {
		t.Fatal(err)
	}
	return &a
}

// players are tables of players, each name its kind but for a number at the end.
func players(names ...string) string {
	text := ""
	for _, name := range names {
		text += fmt.Sprintf("[[player]]\nname = %q\nkind = %q\niterations = 50\n", name,
			strings.TrimRight(name, "0123456789"))
	}
	return text
}

// begin begins a run in a database of its own.
func begin(t *testing.T, h *Players, text string) (*store.Store, *arena.Run) {
	t.Helper()
	p, err := h.Plan(settings(t, text))
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	run, err := db.Begin(t.Context(), p, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	return db, run
}

// content is all that a run has come to, as text.
func content(t *testing.T, db *store.Store, run *arena.Run) string {
	t.Helper()
	if err := db.Refresh(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for x, err := range db.Results(t.Context(), run) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%d %+v %x\n", x.Number, x.Tally, x.Packed)
	}
	fmt.Fprintln(&b, run.Stops, run.Stored, run.Shards(), run.Ended.IsZero())
	return b.String()
}

// scattered is a grid that does jobs in a random order, some of them twice, and
// fails after some results.
type scattered struct {
	kinds grid.Kinds
	rng   *rand.Rand
	fail  int
}

var errKilled = errors.New("killed")

func (s *scattered) Run(ctx context.Context, jobs iter.Seq[grid.Job], done func(grid.Job, []byte) error) error {
	var all []grid.Job
	for job := range jobs {
		all = append(all, job)
		if s.rng.IntN(4) == 0 {
			all = append(all, job)
		}
	}
	for _, i := range s.rng.Perm(len(all)) {
		if s.fail--; s.fail < 0 {
			return errKilled
		}
		result, err := s.kinds[Kind](ctx, all[i])
		if err != nil {
			return err
		}
		if err := done(all[i], result); err != nil {
			return err
		}
	}
	return nil
}

// runs are runs of every kind.
var runs = map[string]string{
	"leduc": `run = {name = "a", game = "leduc", shard = 20, seed = 5}
poker = {deals = 90}
` + players("trained", "random", "call", "random2"),
	"solving in play": `run = {name = "a", game = "leduc", shard = 7}
poker = {deals = 20}
` + players("trained", "random") + "[[player]]\nname = \"solving\"\nkind = \"trained\"\nsolve = 5\n",
	"three players": `run = {name = "a", game = "kuhn-3p", shard = 7}
poker = {deals = 20}
` + players("call", "random", "raise", "trained"),
	"rotated": `run = {name = "a", game = "holdem-nolimit-3p", shard = 7, format = "match"}
poker = {deals = 20, seats = "rotate"}
` + players("call", "random", "raise"),
	"poker, stopped": `run = {name = "a", game = "leduc", shard = 50, format = "gauntlet"}
poker = {deals = 2000}
stop = {first = 0, second = 300}
` + players("trained", "random", "call"),
	"nim": `run = {name = "a", game = "nim", shard = 2}
board = {openings = 5, options = '{"heaps":[3,4,5]}'}
` + players("xor", "random", "random2"),
	"havannah, stopped": `run = {name = "a", game = "havannah", format = "match", shard = 3}
board = {openings = 500, options = '{"side":4}'}
stop = {first = -200, second = 200}
` + players("random", "random2"),
}

// A run that is interrupted again and again, its shards played in any order and
// some of them twice, comes to the bytes of one that is not.
func TestInterrupted(t *testing.T) {
	for name, text := range runs {
		t.Run(name, func(t *testing.T) {
			h := testPlayers()
			defer h.Close()
			db, run := begin(t, h, text)
			var last Progress
			quiet := Tournament{
				Store: db, Run: run, Grid: &grid.Local{Kinds: h.Kinds(), Threads: 2},
				OnProgress: func(p *Progress) { last = *p },
			}
			if err := quiet.Play(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := content(t, db, run)
			if last.Stored != last.Shards || last.Games != last.Total || last.Stored != run.Shards() {
				t.Errorf("at the end the progress is %+v, where %d shards are", last, run.Shards())
			}
			if stops := strings.Contains(name, "stopped"); stops != (len(run.Stops) > 0) {
				t.Errorf("stops %v", run.Stops)
			}

			db2, run2 := begin(t, h, text)
			rng := rand.New(rand.NewPCG(1, 1))
			for i := 0; ; i++ {
				again := Tournament{
					Store: db2, Run: run2, Grid: &scattered{h.Kinds(), rng, rng.IntN(1 + run2.Plan.Shards()/2)},
				}
				if err := again.Play(t.Context()); err == nil {
					break
				} else if !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				var err error
				if run2, err = db2.Begin(t.Context(), run2.Plan, "test", true); err != nil {
					t.Fatal(err)
				}
				if i == 1000 {
					t.Fatal("the run does not end")
				}
			}
			if got := content(t, db2, run2); got != want {
				t.Errorf("interrupted it comes to\n%.2000s\nundisturbed to\n%.2000s", got, want)
			}
		})
	}
}

// The tallies agree with the games.
func TestTallies(t *testing.T) {
	for _, name := range []string{"leduc", "three players", "nim"} {
		h := testPlayers()
		defer h.Close()
		db, run := begin(t, h, runs[name])
		tournament := Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: h.Kinds()}}
		if err := tournament.Play(t.Context()); err != nil {
			t.Fatal(err)
		}
		tallies, err := db.Tallies(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		p := run.Plan
		won := make([][]float64, len(p.Tables)) // sums over units, by player of the run
		for i := range won {
			won[i] = make([]float64, len(p.Players))
		}
		games, orders := 0, float64(len(p.Orders))
		if p.Kind == arena.Poker {
			for h, err := range db.Hands(t.Context(), run) {
				if err != nil {
					t.Fatal(err)
				}
				for position := range len(p.Orders[0]) {
					won[h.Table][h.Players[position]] += h.Values[position] / orders
				}
				games++
			}
		} else {
			for g, err := range db.BoardGames(t.Context(), run) {
				if err != nil {
					t.Fatal(err)
				}
				won[g.Table][p.Tables[g.Table][0]] += g.Score / orders
				won[g.Table][p.Tables[g.Table][1]] += (1 - g.Score) / orders
				games++
			}
		}
		if want := p.Games() * len(p.Tables); games != want {
			t.Errorf("%s: %d games, not %d", name, games, want)
		}
		for table, sum := range arena.Sum(run, tallies) {
			for i, player := range p.Tables[table] {
				if d := sum.Scores[i].Sum - won[table][player]; d > 1e-9 || d < -1e-9 || sum.Units != p.Units {
					t.Errorf("%s, table %d: %s has %v, by its games %v", name, table, p.Players[player].Name,
						sum.Scores[i].Sum, won[table][player])
				}
			}
		}
		cross := NewCrossTable(run, arena.Sum(run, tallies), money.Format{})
		total := 0.0
		for _, s := range cross.Players {
			total += s.Mean
		}
		if p.Kind == arena.Board {
			total -= float64(len(cross.Players)) / 2
		}
		if cross.Played != games || total > 1e-9 || total < -1e-9 {
			t.Errorf("%s: %d games, means add up to %v: %+v", name, cross.Played, total, cross.Players)
		}
	}
}

// A shard that failed is played when it can be, and then no failure is left.
func TestMended(t *testing.T) {
	h := testPlayers()
	defer h.Close()
	db, run := begin(t, h, runs["nim"])
	broken := true
	kinds := grid.Kinds{Kind: func(ctx context.Context, job grid.Job) ([]byte, error) {
		if broken && job.Shard%2 == 0 {
			return nil, errors.New("broken")
		}
		return h.Play(ctx, job)
	}}
	for _, want := range []int{(run.Plan.Shards() + 1) / 2, 0} {
		err := (&Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: kinds}}).Play(t.Context())
		failed, e := db.FailedShards(t.Context(), run)
		if e != nil || len(failed) != want || errors.As(err, new(*grid.FailedJobsError)) != broken {
			t.Errorf("%d failed, not %d: %v, %v", len(failed), want, e, err)
		}
		if err := db.Refresh(t.Context(), run); err != nil || run.Stored+want != run.Shards() ||
			run.Ended.IsZero() != broken {
			t.Errorf("%d of %d stored, ended %v, %v", run.Stored, run.Shards(), run.Ended, err)
		}
		broken = false
	}
}

// What cannot be played names file, key and reason.
func TestPlanRefuses(t *testing.T) {
	foreign := filepath.Join(t.TempDir(), "foreign.strategy")
	if err := os.WriteFile(foreign, []byte("no strategy, however long it may be"), 0o600); err != nil {
		t.Fatal(err)
	}
	trained := func(settings string) string {
		return `run = {name = "a", game = "leduc-nolimit"}` + "\n" + players("call", "trained") + settings
	}
	run := func(game string, kinds ...string) string {
		return fmt.Sprintf("run = {name = \"a\", game = %q}\n", game) + players(kinds...)
	}
	for text, want := range map[string]string{
		trained(`algorithm = "simplex"`):        "player[2].algorithm: unknown algorithm",
		trained(`cards = "some"`):               "player[2].cards: unknown card abstraction",
		trained(`cards = "sets"`):               "player[2].algorithm: cfr+ goes through all cards",
		trained(`actions = "q"`):                "player[2].actions: ",
		trained(`actions = "none.toml"`):        "player[2].actions: none.toml: no such file",
		trained(`opponent_actions = "3x,b"`):    "player[2].opponent_actions: ",
		trained(`opponent_actions = "no.toml"`): "player[2].opponent_actions: no.toml: no such file",
		trained(`opponent_actions = "fchpa"`):   "player[2].opponent_actions: cfr+ has one betting tree",
		trained(`opponent_cards = "none"`):      "player[2].opponent_cards: cfr+ has one card abstraction",
		trained(`opponent_cards = "some"`):      "player[2].opponent_cards: unknown card abstraction",

		run("kuhn", "call", "random") + `opponent_actions = "fcpa"`: `player[2].opponent_actions: is for kind ` +
			`"trained", not "random"`,
		run("kuhn", "call", "random") + `opponent_cards = "none"`: `player[2].opponent_cards: is for kind "trained", ` +
			`not "random"`,
		run("ledcu", "call", "random"): "run.game: ledcu: neither a file nor a shipped game",

		run("leduc", "call", "shark"): `player[2].kind: "shark" is not one of strategy, trained, program, ` +
			`random`,
		run("leduc", "call", "remote"):   `player[2].kind: "remote" went with 0.3.0 (the last commit with it is `,
		run("leduc", "call", "strategy"): "player[2].strategy: is needed",
		run("leduc", "call", "strategy") +
			fmt.Sprintf("strategy = %q\n", foreign): "player[2].strategy: " + foreign + ": not a strategy file",
		run("leduc", "call", "program"):  "player[2].command: is needed",
		run("kuhn-3p", "call", "random"): "player: 2 players, where the game needs 3",
		run("havannah", "xen", "random"): "player[1].kind: no bot is called xen",
		`run = {name = "a", game = "havannah"}` + "\nboard = {options = '{\"side\":99}'}\n" +
			players("xor", "random"): "board.options: ",
	} {
		_, err := testPlayers().Plan(settings(t, text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Whether a player purifies is in the plan of those with a strategy only: the default was another in 0.2.0.
func TestPurify(t *testing.T) {
	a := settings(t, `run = {name = "a", game = "kuhn"}`+"\n"+players("call", "trained"))
	p, err := testPlayers().Plan(a)
	if err != nil || p.Players[0].Purify || !p.Players[1].Purify || !a.Players[0].Purify {
		t.Errorf("%+v, error %v", p, err)
	}
}

// Up to five players meet in all orders of the seats, and more of them in the rotations of one, unless the settings say
// what to do. The plan has what is done, as plans of older programs have.
func TestSeatOrders(t *testing.T) {
	six := []string{"call", "random", "raise", "fold", "call2", "random2"}
	for _, test := range []struct {
		game, seats, want string
		players, orders   int
	}{
		{"kuhn-3p", "", "all", 3, 6}, {"kuhn-3p", "rotate", "rotate", 3, 3}, {"holdem-nolimit-6p", "", "rotate", 6, 6},
		{"holdem-nolimit-6p", "rotate", "rotate", 6, 6}, {"holdem-nolimit-6p", "all", "", 6, 0},
	} {
		a := settings(t, fmt.Sprintf("run = {name = \"a\", game = %q}\n", test.game)+players(six[:test.players]...))
		a.Poker.Seats = test.seats
		p, err := testPlayers().Plan(a)
		if test.want == "" {
			if err == nil || !strings.HasPrefix(err.Error(), "poker.seats: ") {
				t.Errorf("%+v: %v", test, err)
			}
		} else if err != nil || p.Deals.Seats != test.want || len(p.Orders) != test.orders {
			t.Errorf("%+v: %+v, %v", test, p, err)
		}
	}
}

// A player may be trained against an opponent with other raises, and the plan has the raises of
// menus, so that no machine needs their files.
func TestTrainedAgainst(t *testing.T) {
	menu := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(menu, []byte("[[raises]]\nothers = \"0.5,1,2,a/1,a\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := testPlayers()
	defer h.Close()
	p, err := h.Plan(settings(t,
		`run = {name = "a", game = "leduc-nolimit"}`+"\npoker = {deals = 20}\n"+players("random", "trained")+
			fmt.Sprintf("algorithm = \"pcs+(4)\"\nactions = \"1,a\"\nopponent_actions = %q\n", menu)))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Players[1].OpponentActions; got != "0.5,1,2,a/1,a" {
		t.Errorf("the plan has the raises %q of the menu", got)
	}
	s, err := h.newSession(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if got := s.policies[1].Tree.Shape.Betting.Meta(); got != "fcpa against 0.5,1,2,a/1,a" {
		t.Errorf("the strategy has the raises %s", got)
	}
	if _, err := s.play(t.Context(), p.At(0)); err != nil {
		t.Error(err)
	}
}

// The plan knows the network that a player has without naming it, as of those that are named.
func TestShippedNetwork(t *testing.T) {
	p, err := testPlayers().Plan(settings(t, `run = {name = "a", game = "havannah"}`+"\n"+players("gumbel", "random")))
	if err != nil {
		t.Fatal(err)
	}
	shipped, ok := configs.Network(boards.HavannahName)
	if want := []uint64{xxh3.Hash(shipped), 0}; !ok || !slices.Equal(p.Prints, want) {
		t.Errorf("checksums %x, want %x", p.Prints, want)
	}
}

// Strategies that play the same, with the same luck, win nothing from each other in any deal. Purified they need none.
func TestSameLuck(t *testing.T) {
	h := testPlayers()
	defer h.Close()
	for seed, same := range []bool{true, false} {
		db, run := begin(t, h,
			fmt.Sprintf("run = {name = \"a\", game = \"leduc\"}\npoker = {deals = 200}\n%spurify = false\n[[player]]\n"+
				"name = \"other\"\nkind = \"trained\"\npurify = false\niterations = 50\nseed = %d\n",
				players("trained"), seed))
		tour := &Tournament{Store: db, Run: run, Grid: &grid.Local{Kinds: h.Kinds(), Threads: 1}}
		if err := tour.Play(t.Context()); err != nil {
			t.Fatal(err)
		}
		for x, err := range db.Results(t.Context(), run) {
			if err != nil {
				t.Fatal(err)
			}
			if got := x.Tally.Scores[0].Square == 0; got != same {
				t.Errorf("seed %d: every deal is won by nobody: %v, want %v", seed, got, same)
			}
		}
	}
}
