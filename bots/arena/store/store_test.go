package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/arena"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/usererr"
)

// plan returns a plan of a game with players that play at random.
func newPlan(t *testing.T, name string, players int) *arena.Plan {
	t.Helper()
	_, text, err := configs.GameText(name)
	if err != nil {
		t.Fatal(err)
	}
	game, err := acpc.ParseGame(name, text)
	if err != nil {
		t.Fatal(err)
	}
	p := &arena.Plan{
		Name: "test", Kind: arena.Poker, Game: name, Text: game.String(), Seed: 7, Units: 25, Shard: 10,
		Orders: arena.Orders(game.NumPlayers, true),
	}
	for i := range players {
		p.Players = append(p.Players, configs.Entry{Name: fmt.Sprint("p", i), Kind: "random"})
	}
	if p.Tables, err = arena.Tables(configs.RoundRobin, players, game.NumPlayers); err != nil {
		t.Fatal(err)
	}
	return p
}

// play plays a shard, and returns the lines of its hands.
func play(t *testing.T, p *arena.Plan, shard arena.Shard) (*arena.Result, []string) {
	t.Helper()
	game, err := p.Acpc()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	packer := &arena.Packer{}
	r := &arena.Result{Tally: arena.Tally{Units: shard.Count, Scores: make([]arena.Score, game.NumPlayers)}}
	won := make([][]float64, shard.Count)
	for i := range won {
		won[i] = make([]float64, game.NumPlayers)
	}
	names := p.Names(shard.Table)
	for order, seats := range p.Orders {
		m := dealer.Match{Game: game, Hands: uint32(shard.Count), Seed: shard.CardSeed()}
		var players []acpc.Player
		for _, seat := range seats {
			player, err := poker.NewOpponent("random", p.PlayerSeed(&shard, order, p.Tables[shard.Table][seat]))
			if err != nil {
				t.Fatal(err)
			}
			players = append(players, player)
			m.Names = append(m.Names, names[seat])
		}
		_, err := m.Play(t.Context(), players, func(s *acpc.State) error {
			packer.Add(s)
			r.Tally.Games++
			lines = append(lines, strings.TrimSpace(string(m.AppendHand(nil, s))))
			for position := range game.NumPlayers {
				won[s.HandID][seats[m.Seat(s.HandID, position)]] += s.Value(position) / float64(len(p.Orders))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, unit := range won {
		for i, x := range unit {
			r.Tally.Scores[i].Observe(x)
		}
	}
	r.Games = packer.Games()
	return r, lines
}

// lineOf returns the hand's line of an ACPC log, without its end.
func lineOf(p *arena.Plan, h *arena.Hand) string {
	names := make([]string, h.State.Game().NumPlayers)
	for position := range names {
		names[position] = p.Players[h.Players[position]].Name
	}
	return string(h.State.AppendResult(nil, names))
}

func open1(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Hands that are stored, in any order, are read as they were played.
func TestHands(t *testing.T) {
	for _, test := range []struct {
		game    string
		players int
	}{{"leduc", 3}, {"holdem-nolimit-2p", 2}, {"kuhn-3p", 4}} {
		t.Run(test.game, func(t *testing.T) {
			ctx := context.Background()
			p := newPlan(t, test.game, test.players)
			s := open1(t, filepath.Join(t.TempDir(), "a?b.db"))
			r, err := s.Begin(ctx, p, "test", false)
			if err != nil {
				t.Fatal(err)
			}
			lines, sums := make([][]string, p.Shards()), make([]arena.Tally, len(p.Tables))
			for _, number := range rand.New(rand.NewPCG(1, 2)).Perm(p.Shards()) {
				var result *arena.Result
				result, lines[number] = play(t, p, p.At(number))
				text, err := result.Append(nil)
				if err != nil {
					t.Fatal(err)
				}
				parsed, err := arena.ParseResult(text)
				if err != nil {
					t.Fatal(err)
				}
				for _, fresh := range []bool{true, false} {
					if got, err := s.Put(ctx, r, number, &parsed); err != nil || got != fresh {
						t.Errorf("shard %d: new %v, %v", number, got, err)
					}
				}
			}
			at := 0
			var want []string
			for _, l := range lines {
				want = append(want, l...)
			}
			for h, err := range s.Hands(ctx, r) {
				if err != nil {
					t.Fatal(err)
				}
				if got := lineOf(p, h); got != want[at] {
					t.Fatalf("hand %d is %s, was %s", at, got, want[at])
				}
				for position, player := range h.Players[:len(p.Tables[0])] {
					for i, other := range p.Tables[h.Table] {
						if sums[h.Table].Scores == nil {
							sums[h.Table].Scores = make([]arena.Score, len(p.Tables[0]))
						}
						if player == other {
							sums[h.Table].Scores[i].Sum += h.Values[position] / float64(len(p.Orders))
						}
					}
				}
				at++
			}
			if at != len(want) || at != len(p.Tables)*p.Games() {
				t.Errorf("%d hands, not %d", at, len(want))
			}
			tallies, err := s.Tallies(ctx, r)
			if err != nil {
				t.Fatal(err)
			}
			for table, sum := range arena.Sum(r, tallies) {
				total := 0.0
				for i, score := range sum.Scores {
					if d := score.Sum - sums[table].Scores[i].Sum; d > 1e-6 || d < -1e-6 {
						t.Errorf("table %d: player %d won %v, its hands say %v", table, i, score.Sum,
							sums[table].Scores[i].Sum)
					}
					total += score.Sum
				}
				if total > 1e-6 || total < -1e-6 || sum.Units != p.Units || sum.Games != p.Games() {
					t.Errorf("table %d: %+v", table, sum)
				}
			}
			if err := s.Refresh(ctx, r); err != nil || r.Stored != r.Shards() {
				t.Errorf("%d of %d stored, %v", r.Stored, r.Shards(), err)
			}
		})
	}
}

// A run is begun once, and gone on with under the same plan only.
func TestBegin(t *testing.T) {
	ctx := context.Background()
	s := open1(t, filepath.Join(t.TempDir(), "arena.db"))
	p := newPlan(t, "leduc", 2)
	if _, err := s.Begin(ctx, p, "test", false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Begin(ctx, p, "test", false); !errors.Is(err, ErrRunExists) {
		t.Errorf("begun again: %v", err)
	}
	if _, err := s.Begin(ctx, p, "test", true); err != nil {
		t.Errorf("resumed: %v", err)
	}
	other := *p
	other.Seed++
	if _, err := s.Begin(ctx, &other, "test", true); !errors.Is(err, ErrPlanMismatch) ||
		!strings.Contains(err.Error(), "its seed is 7, not 8") {
		t.Errorf("another seed: %v", err)
	}
	other = *p
	other.Players = slices.Clone(p.Players)
	other.Players[1].Iterations++
	want := fmt.Sprintf("its player[2].iterations is %d, not %d", p.Players[1].Iterations, other.Players[1].Iterations)
	if _, err := s.Begin(ctx, &other, "test", true); !errors.Is(err, ErrPlanMismatch) ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("another player: %v, want %s", err, want)
	}
	other.Players = slices.Clone(p.Players)
	other.Players[0].Purify, other.Players[1].Purify = !p.Players[0].Purify, !p.Players[1].Purify
	want = fmt.Sprintf(", as by --set 'player[1].purify=%t' --set 'player[2].purify=%t'", p.Players[0].Purify,
		p.Players[1].Purify)
	if _, err := s.Begin(ctx, &other, "test", true); !strings.HasSuffix(usererr.Hint(err), want) {
		t.Errorf("purify: hint %q, want %s", usererr.Hint(err), want)
	}
	other = *p
	other.Name, other.Prints = "prints", []uint64{1, 2}
	if _, err := s.Begin(ctx, &other, "prints", false); err != nil {
		t.Fatal(err)
	}
	changed := other
	changed.Prints = []uint64{1, 3}
	if _, err := s.Begin(ctx, &changed, "prints", true); err == nil ||
		!strings.Contains(err.Error(), "its checksum of the file of player[2] is 2, not 3") {
		t.Errorf("another strategy file: %v", err)
	}
	_, err := s.Run(ctx, "five")
	if missing := (*MissingError)(nil); !errors.As(err, &missing) || missing.Hint() != "its runs are test, prints" {
		t.Errorf("no such run: %v", err)
	}
}

// What is stored behind the stop of a table does not count, before or after.
func TestStop(t *testing.T) {
	ctx := context.Background()
	p := newPlan(t, "leduc", 3)
	s := open1(t, filepath.Join(t.TempDir(), "arena.db"))
	r, err := s.Begin(ctx, p, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	put := func(number int, want bool) {
		t.Helper()
		result, _ := play(t, p, p.At(number))
		if fresh, err := s.Put(ctx, r, number, result); err != nil || fresh != want {
			t.Errorf("shard %d: %v, %v", number, fresh, err)
		}
	}
	put(1, true) // table 1, part 0
	put(7, true) // part 2
	if err := s.Stop(ctx, r, 1, arena.Stop{Parts: 1, Decided: arena.SPRT{}.Decided(0, 0, 1)}); err != nil {
		t.Fatal(err)
	}
	put(4, false) // part 1
	put(3, true)  // result of another table
	if err := s.Refresh(ctx, r); err != nil || r.Stored != 2 || r.Shards() != 7 ||
		!r.Wanted(p.At(1)) || r.Wanted(p.At(4)) {
		t.Errorf("%d of %d stored, %v", r.Stored, r.Shards(), err)
	}
}

// Full disks, damage and foreign files are reported; results that were stored
// before is there.
func TestFailedShards(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "arena.db")
	s := open1(t, path)
	p := newPlan(t, "leduc", 2)
	r, err := s.Begin(ctx, p, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	result, _ := play(t, p, p.At(0))
	if _, err := s.Put(ctx, r, 0, result); err != nil {
		t.Fatal(err)
	}
	s.db.SetMaxOpenConns(1)
	if _, err := s.db.Exec("PRAGMA max_page_count = 1"); err != nil { // as many as there are
		t.Fatal(err)
	}
	big := *result
	big.Games = make([]byte, 1<<20)
	_, err = s.Put(ctx, r, 1, &big)
	explained(t, err, "full", "resume")
	if err := s.Refresh(ctx, r); err != nil || r.Stored != 1 {
		t.Errorf("after a full disk %d are stored, %v", r.Stored, err)
	}
	for _, err := range s.Hands(ctx, r) {
		if err != nil {
			t.Fatal(err)
		}
	}

	if _, err := s.db.Exec("UPDATE shards SET games = x'00'"); err != nil {
		t.Fatal(err)
	}
	for _, err = range s.Results(ctx, r) {
		explained(t, err, "shard 0: the result is not what was stored", "damaged")
	}
	s.Close()

	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 4096; at < len(text); at++ {
		text[at] ^= 0x55
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	s, err = OpenReadOnly(ctx, path)
	if err == nil {
		_, err = s.Runs(ctx)
	}
	explained(t, err, "malformed", "damaged")

	if err := os.WriteFile(path, []byte("no database at all, but a text of some length"), 0o644); err != nil {
		t.Fatal(err)
	}
	os.Remove(path + "-wal")
	_, err = Open(ctx, path)
	explained(t, err, "not a database", "damaged")
	_, err = OpenReadOnly(ctx, path+"2")
	explained(t, err, "no such file", "")
}

func explained(t *testing.T, err error, text, hint string) {
	t.Helper()
	e := (*Error)(nil)
	if !errors.As(err, &e) || !strings.Contains(err.Error(), text) || !strings.Contains(e.Hint(), hint) {
		t.Errorf("error %v, want %q with a hint of %q", err, text, hint)
	}
}

// An interrupt while a database is made leaves a whole one.
func TestOpenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "arena.db")
	for _, open := range []func(context.Context, string) (*Store, error){
		Open, func(_ context.Context, path string) (*Store, error) { return OpenReadOnly(t.Context(), path) },
	} {
		s, err := open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
