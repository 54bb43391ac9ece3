package table

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// Records of a match, as a log or PHH, by who saw all or only own cards, become the same match: its moves, results and
// cards, again after a restart, and read from the record of its own.
func TestRead(t *testing.T) {
	for _, name := range games {
		r := rulesOf(t, name)
		m, random := start(t, r, 12, 5), rand.New(rand.NewPCG(1, 1))
		for !m.over() {
			act(t, m, random)
		}
		var seats []wire.Player
		for _, name := range []string{"ada", "bob", "eve", "max", "zoe", "tim"}[:r.Game.NumPlayers] {
			seats = append(seats, wire.Player{Name: name})
		}
		for _, format := range []string{"log", "phh"} {
			text, ok := m.Record(format, &wire.Game{Game: "g7", You: 1, Seats: seats, Result: m.Result()})
			if !ok || !r.Reads(text) {
				t.Fatalf("%s: %t: %s", name, ok, text)
			}
			f, err := r.Read(text)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			again, err := r.Read(f.Record)
			if err != nil || again.Record != f.Record || !slices.Equal(again.Moves, f.Moves) {
				t.Fatalf("%s: %v\n%s\n%s", name, err, f.Record, again.Record)
			}
			for _, g := range []game.Game{f.Game, f.Game.(game.Restarter).Restart()} {
				for _, move := range f.Moves {
					seat := slices.Index(g.ToMove(), true)
					if move, err = g.Check(seat, move); err != nil {
						t.Fatal(err)
					}
					moves := make([]string, len(seats))
					moves[seat] = move
					if err := g.Play(moves); err != nil {
						t.Fatal(err)
					}
				}
				if got, want := g.Result(), m.Result(); got == nil || !slices.Equal(got.Score, want.Score) {
					t.Errorf("%s, %s: %+v, want %+v", name, format, got, want)
				}
				seen, whole := g.View().Poker.Finished, m.ViewOf(1, -1).Poker.Finished
				for h := range whole {
					if strings.Join(f.Players, "") == "" || string(seen[h]) != string(whole[h]) {
						t.Fatalf("%s, %s: %s\nwant %s", name, format, seen[h], whole[h])
					}
				}
			}
		}
	}
}

// The decisions of who is asked for are judged, where the cards are known.
func TestReadReport(t *testing.T) {
	r := rulesOf(t, "leduc")
	r.Advisors = map[string]Advisor{"bot": caller{}}
	f, err := r.Read("STATE:0:rc/cc:Ks|Qs/As:3|-3:ada|bot\nSTATE:1:cc/rf:Ks|/As:1|-1:bot|ada\n")
	if err != nil {
		t.Fatal(err)
	}
	m := f.Game.(given)
	for _, move := range f.Moves {
		moves := make([]string, 2)
		moves[m.actor()] = move
		if err := m.Play(moves); err != nil {
			t.Fatal(err)
		}
	}
	for seat, want := range [][]int{{2, 0}, {2, 2}} {
		about := &wire.Game{You: seat, Seats: []wire.Player{{Name: "ada"}, {Name: "bot"}}}
		text, ok := m.Record("report", about)
		var report Report
		if err := json.Unmarshal([]byte(text), &report); !ok || err != nil || report.Fair != nil || report.By != "bot" {
			t.Fatalf("%s: %v", text, err)
		}
		for h, n := range want {
			if len(report.Hands[h].Decisions) != n {
				t.Errorf("seat %d, hand %d: %+v", seat, h, report.Hands[h])
			}
		}
	}
}

// A file of PHH needs no names of players, who go round, and unknown cards are none.
func TestReadWithoutNames(t *testing.T) {
	const hand = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\n" +
		"starting_stacks = [20000, 20000]\n"
	f, err := rulesOf(t, "holdem-nolimit-2p").Read("[1]\n" + hand + "actions = ['d dh p1 AcAd', 'd dh p2 ????', " +
		"'p2 cbr 300', 'p1 f']\n[2]\n" + hand + "actions = ['d dh p1 AcAd', 'd dh p2 KcKd', 'p2 f']\n")
	if err != nil {
		t.Fatal(err)
	}
	m := f.Game.(given)
	if !slices.Equal(f.Players, []string{"p1", "p2"}) || !slices.Equal(m.match.given[1].Names, []string{"p2", "p1"}) {
		t.Errorf("%v", f.Players)
	}
}

// What is no record of the game, or a broken one, says so.
func TestReadRefuses(t *testing.T) {
	const title = "# name/game/hands/seed x leduc 2 1\n"
	many := strings.Repeat("STATE:0:rf:Ks|Qs:1|-1:a|b\nSTATE:1:rf:Ks|Qs:1|-1:b|a\n", 101)
	r := rulesOf(t, "leduc")
	for text, want := range map[string]string{
		title + "STATE:0:rx:Ks|Qs:3|-3:ada|bot":                                      "line 2: ",
		title + "STATE:0:rc/cc:Ks|Ks/As:3|-3:ada|bot":                                "dealt twice",
		title + "STATE:0:rc/cc:Ks|Qs/As:3|-3:ada|bot\nSTATE:1:rf:Ks|Qs:1|-1:ada|bot": "hand 2: ada",
		title + many: "at most 200",
		title + "STATE:0:rc/cc:Ks|Qs/As:1e9|-1e9:ada|bot": "won 1e+09",
		title + "STATE:0:rc/cc:Ks|Qs/As:3|-1:ada|bot":     "hand 1: all together cannot have won 2 chips",
		title + "STATE:0:rf:Ks|Qs:-1|1:ada|bot":           "hand 1: bot cannot have won 1 chips",
		title + "STATE:0:rc/cc:|/As:-3|-3.5:ada|bot":      "won -3.5",
		title: "hand",
		"# name/game/hands/seed x kuhn 2 1\nSTATE:0:rf:Ks|Qs:1|-1:ada|bot": game.ErrOther.Error(),
		"STATE:0:rx:Ks|Qs:3|-3:ada|bot":                                    game.ErrOther.Error(),
		"variant = 'NT'\nplayers = [":                                      "line 2: ",
		"variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [5, 10]\nmin_bet = 10\nstarting_stacks = [100, 100]\n" +
			"actions = ['d dh p1 AcAd', 'd dh p2 KcKd', 'p2 f']": game.ErrOther.Error(),
	} {
		_, err := r.Read(text)
		other := want == game.ErrOther.Error()
		if err == nil || !strings.Contains(err.Error(), want) || other != errors.Is(err, game.ErrOther) {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
	if r.Reads("(;GM[Havannah]SZ[4];W[d4])") {
		t.Error("a game of Havannah is read as poker")
	}
}
