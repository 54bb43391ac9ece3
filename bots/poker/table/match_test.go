package table

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/acpc/history"
	"gamebots/configs"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

var games = []string{
	"kuhn", "kuhn-3p", "leduc", "leduc-nolimit", "holdem-limit-3p", "holdem-nolimit-2p", "holdem-nolimit-6p",
}

func rulesOf(t testing.TB, name string) Rules {
	t.Helper()
	g, err := configs.Game(name)
	if err != nil {
		t.Fatal(err)
	}
	return Rules{Game: g, Title: name}
}

// likeDealer has a match deal the cards of the dealer. The seed is that of the dealer.
func likeDealer(seed []byte) *acpc.Shuffler {
	return acpc.NewShuffler(binary.LittleEndian.Uint32(seed))
}

// start starts a match with cards of a seed.
func start(t testing.TB, r Rules, hands int, seed uint32) *match {
	t.Helper()
	secret := make([]byte, game.SeedSize)
	binary.LittleEndian.PutUint32(secret, seed)
	g, err := r.Deal(json.RawMessage(fmt.Sprintf(`{"hands":%d}`, hands)), secret)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*match)
}

// act plays one of the legal moves of whoever is to move.
func act(t testing.TB, m *match, rng *rand.Rand) {
	t.Helper()
	legal := m.choices()
	seat := slices.Index(m.ToMove(), true)
	move, err := m.Check(seat, legal[rng.IntN(len(legal))].String())
	if err != nil {
		t.Fatal(err)
	}
	moves := make([]string, m.game.NumPlayers)
	moves[seat] = move
	if err := m.Play(moves); err != nil {
		t.Fatal(err)
	}
}

// replayer repeats the actions of the hands of a match.
type replayer struct{ m *match }

func (r replayer) Act(_ context.Context, s *acpc.MatchState) (acpc.Action, error) {
	h := history.Hand{State: r.m.finished[s.HandID]}
	return h.Steps()[s.NumActions()].Action, nil
}

// A match has the cards, the positions and the results of an ACPC dealer's with the same
// seed and the same actions.
func TestMatchIsTheDealers(t *testing.T) {
	for _, name := range games {
		r := rulesOf(t, name)
		r.Shuffle = likeDealer
		m := start(t, r, 60, 7)
		rng := rand.New(rand.NewPCG(1, 2))
		for !m.over() {
			act(t, m, rng)
		}
		names := []string{"ann", "bob", "cy", "dee", "eve", "fay"}[:r.Game.NumPlayers]
		var got, want []byte
		for h := range m.finished {
			all := m.seenBy(&m.finished[h], -1, names)
			all.Hidden = [acpc.MaxPlayers]bool{}
			got = all.AppendLog(got)
		}
		got = append(acpc.AppendScore(got, m.Result().Score, names), '\n')
		dealt := dealer.Match{Game: r.Game, Hands: 60, Seed: 7, Names: names}
		players := slices.Repeat([]acpc.Player{replayer{m}}, r.Game.NumPlayers)
		score, err := dealt.Play(t.Context(), players, func(s *acpc.State) error {
			want = dealt.AppendHand(want, s)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want = dealt.AppendScore(want, score)
		if string(got) != string(want) {
			t.Errorf("%s: the match is\n%s\nand the dealer's\n%s", name, got, want)
		}
	}
}

var cards = regexp.MustCompile(`[2-9TJQKA][cdhs]`)

// allowed returns the cards of a hand that a seat may see.
func allowed(m *match, s *acpc.State, seat int) string {
	var text strings.Builder
	for p := range m.game.NumPlayers {
		own := m.seatAt(s, p) == seat
		if own || s.Finished() && s.AtShowdown() && !s.Folded(p) {
			for _, c := range s.Holes[p][:m.game.NumHoleCards] {
				text.WriteString(c.String())
			}
		}
	}
	for _, c := range s.Board[:m.game.BoardCards(s.Round())] {
		text.WriteString(c.String())
	}
	return text.String()
}

// withoutBetting removes the betting from an ACPC state, whose sizes may look like cards.
var withoutBetting = regexp.MustCompile(`(STATE:(?:\d+:)?\d+):[^:]*`)

// A server counts the memory of as many raises as there can be.
func TestBytesOfManyRaises(t *testing.T) {
	for _, name := range games {
		m := start(t, rulesOf(t, name), 2, 7)
		moves := 0
		for ; !m.over(); moves++ {
			move := acpc.Action{Type: acpc.Call}
			if least, _, ok := m.hand.RaiseBounds(); ok {
				move = acpc.Action{Type: acpc.Raise, Size: least}
			}
			if err := m.Play(slices.Repeat([]string{move.String()}, m.game.NumPlayers)); err != nil {
				t.Fatal(err)
			}
		}
		if bytes := m.Bytes(); bytes < moves*game.MoveBytes {
			t.Errorf("%s: %d bytes for %d moves", name, bytes, moves)
		}
	}
}

// Legal moves have the words of poker players: amounts are those of the round.
func TestNamesOfMoves(t *testing.T) {
	for _, test := range []struct {
		game   string
		moves  []string
		legal  string
		names  string
		before int
	}{
		{"holdem-nolimit-2p", nil, "f c r200 r300 r20000",
			"fold, call 50, raise to 200, raise to 300, raise to 20000 all-in", 0},
		{"holdem-nolimit-2p", []string{"c"}, "c r200 r300 r20000",
			"check, raise to 200, raise to 300, raise to 20000 all-in", 0},
		{"holdem-nolimit-2p", []string{"c", "c", "r300"}, "f c r500 r600 r900 r20000",
			"fold, call 200, raise to 400, raise to 500, raise to 800, raise to 19900 all-in", 100},
		{"leduc-nolimit", []string{"c"}, "c r200 r300 r1200", "check, bet 100, bet 200, bet 1100 all-in", 100},
		{"kuhn", nil, "c r", "check, bet 1", 0},
		{"leduc", []string{"r", "c", "r"}, "f c r", "fold, call 4, raise to 8", 0},
	} {
		m := start(t, rulesOf(t, test.game), 1, 1)
		for _, move := range test.moves {
			moves := make([]string, m.game.NumPlayers)
			moves[m.actor()] = move
			if err := m.Play(moves); err != nil {
				t.Fatal(err)
			}
		}
		v := m.ViewOf(0, -1)
		if legal, names := strings.Join(v.Legal, " "), strings.Join(v.Poker.Names, ", "); legal != test.legal ||
			names != test.names || v.Poker.Before != test.before {
			t.Errorf("%s after %v: %s; %s; %d", test.game, test.moves, legal, names, v.Poker.Before)
		}
	}
}

// No view and no record has a card that its reader may not see, in any text of it.
func TestNobodySeesHiddenCards(t *testing.T) {
	for _, name := range games {
		r := rulesOf(t, name)
		m := start(t, r, 8, 3)
		rng := rand.New(rand.NewPCG(3, 4))
		about := &wire.Game{Game: "g1", Seats: make([]wire.Player, r.Game.NumPlayers)}
		for !m.over() {
			act(t, m, rng)
			for seat := -1; seat < r.Game.NumPlayers; seat++ {
				v := m.ViewOf(seat, -1)
				if seat < 0 && v.Poker.Match != "" {
					t.Fatalf("%s: a spectator gets %s", name, v.Poker.Match)
				}
				// What is about the hand in play is looked at by itself.
				now := withoutBetting.ReplaceAllString(string(v.Poker.Hand)+v.Poker.Match, "$1")
				for _, c := range cards.FindAllString(now, -1) {
					if !strings.Contains(allowed(m, &m.hand, seat), c) {
						t.Fatalf("%s: seat %d sees %s in %s", name, seat, c, now)
					}
				}
				for i, h := range v.Poker.Finished {
					for _, c := range cards.FindAllString(string(h), -1) {
						if !strings.Contains(allowed(m, &m.finished[i], seat), c) {
							t.Fatalf("%s: seat %d sees %s in %s", name, seat, c, h)
						}
					}
				}
				about.You = seat
				for _, format := range []string{"log", "txt", "phh"} {
					text, ok := m.Record(format, about)
					if !ok {
						t.Fatalf("%s: no %s", name, format)
					}
					i := 0
					for line := range strings.Lines(text) {
						if format == "phh" || !strings.HasPrefix(line, "STATE:") {
							continue
						}
						for _, c := range cards.FindAllString(withoutBetting.ReplaceAllString(line, "$1"), -1) {
							if !strings.Contains(allowed(m, &m.finished[i], seat), c) {
								t.Fatalf("%s: seat %d reads %s in %s", name, seat, c, line)
							}
						}
						i++
					}
					if format == "phh" {
						for i, hand := range strings.Split(text, "actions = [")[1:] {
							dealt, _, _ := strings.Cut(hand, "]")
							for _, c := range cards.FindAllString(dealt, -1) {
								if !strings.Contains(allowed(m, &m.finished[i], seat), c) {
									t.Fatalf("%s: seat %d reads %s in %s", name, seat, c, dealt)
								}
							}
						}
					}
				}
			}
		}
	}
}

// A pot may be larger than a stack may be: without stacks a raise is to 2147483647 chips.
func TestLargePot(t *testing.T) {
	g := *rulesOf(t, "kuhn-3p").Game
	g.Betting, g.MaxRaises[0] = acpc.NoLimit, 2
	m := start(t, Rules{Game: &g}, 1, 1)
	play := func(move string) {
		t.Helper()
		moves := make([]string, g.NumPlayers)
		moves[slices.Index(m.ToMove(), true)] = move
		if err := m.Play(moves); err != nil {
			t.Fatal(err)
		}
	}
	play("r2000000000")
	if v := m.View(); !strings.Contains(v.Text, "2000000002 in the pot") || fmt.Sprint(v.Legal) != "[f c r2147483647]" {
		t.Errorf("after a raise: %s, %v", v.Text, v.Legal)
	}
	play("c")
	if v := m.View(); !strings.Contains(v.Text, "4000000001 in the pot") || fmt.Sprint(v.Legal) != "[f c r2147483647]" {
		t.Errorf("after a call: %s, %v", v.Text, v.Legal)
	}
}

// The log of a match names its game, so that other commands can read it, and not its seed.
func TestLogNamesItsGame(t *testing.T) {
	r := rulesOf(t, "leduc")
	m := start(t, r, 4, 3)
	text, _ := m.Record("log", &wire.Game{Game: "g1", You: -1, Seats: make([]wire.Player, 2)})
	line, _, _ := strings.Cut(text, "\n")
	if _, name, hands, seed, _ := acpc.ParseLogTitle(line); name != "leduc" || hands != "4" || seed != acpc.NoSeed {
		t.Errorf("the log begins with %q", line)
	}
}

// The same options, seed and moves give the same match, and another seed another one.
func TestDealIsOfTheSeed(t *testing.T) {
	r := rulesOf(t, "holdem-limit-2p")
	first, again, other := start(t, r, 3, 1), start(t, r, 3, 1), start(t, r, 3, 2)
	if first.hand.Holes != again.hand.Holes || first.hand.Holes == other.hand.Holes {
		t.Error(first.hand.Holes, again.hand.Holes, other.hand.Holes)
	}
}

// Who leaves loses what is in the pot, and all chips add up to nothing. Nobody wins who has
// left, and whoever stays alone does.
func TestEnd(t *testing.T) {
	for _, name := range games {
		m := start(t, rulesOf(t, name), 20, 5)
		rng := rand.New(rand.NewPCG(5, 6))
		for !m.over() {
			act(t, m, rng)
			order := rng.Perm(m.game.NumPlayers)
			for n := range order {
				gone := order[:n]
				r, sum, most := m.End(gone, wire.Resigned), 0.0, math.Inf(-1)
				for seat, chips := range r.Score {
					sum += chips
					if !slices.Contains(gone, seat) {
						most = max(most, chips)
					}
				}
				best := 0
				for seat, chips := range r.Score {
					if !slices.Contains(gone, seat) && chips == most {
						best++
					}
				}
				if sum > 1e-6 || sum < -1e-6 || slices.Contains(gone, r.Winner) || (r.Winner < 0) != (best > 1) ||
					r.Winner >= 0 && r.Score[r.Winner] != most {
					t.Fatalf("%s: %v leave with %+v, won %v", name, gone, r, m.won)
				}
				if n == 1 && r.Score[gone[0]] > m.won[gone[0]] {
					t.Fatalf("%s: seat %d leaves with %+v, won %v", name, gone[0], r, m.won)
				}
			}
		}
	}
}

// A match that ends within a hand pays what the hand would if those who have left had folded:
// a bet that nobody has called is not lost, and the last of those who leave takes what nobody
// else is in.
func TestEndOfAHand(t *testing.T) {
	for _, c := range []struct {
		name, game, actions string
		gone                []int
		score               string
		winner              int
	}{
		{"a bet that nobody called", "holdem-nolimit-2p", "r20000", []int{1}, "[100 -100]", 0},
		{"before the call of a bet", "holdem-nolimit-2p", "r20000", []int{0}, "[-100 100]", 1},
		{"the blinds", "holdem-nolimit-2p", "", []int{0}, "[-50 50]", 1},
		{"one stays", "kuhn-3p", "c r", []int{1, 2}, "[2 -1 -1]", 0},
		{"one stays who has folded", "kuhn-3p", "r f", []int{0, 2}, "[-1 -1 2]", 1},
		{"as before, in another order", "kuhn-3p", "r f", []int{2, 0}, "[2 -1 -1]", 1},
		{"two stay", "kuhn-3p", "c r", []int{0}, "[-1 0.5 0.5]", -1},
		{"nobody has left", "kuhn-3p", "c r", nil, "[0 0 0]", -1},
		{"all have", "kuhn-3p", "c r", []int{2, 0, 1}, "[-1 2 -1]", -1},
	} {
		m := start(t, rulesOf(t, c.game), 3, 1)
		for _, move := range strings.Fields(c.actions) {
			moves := make([]string, m.game.NumPlayers)
			moves[m.actor()] = move
			if err := m.Play(moves); err != nil {
				t.Fatal(err)
			}
		}
		if r := m.End(c.gone, wire.Resigned); fmt.Sprint(r.Score) != c.score || r.Winner != c.winner {
			t.Errorf("%s: %+v, want %s for %d", c.name, r, c.score, c.winner)
		}
	}
}

// A match that some have left is not theirs, whatever they had won.
func TestEndAfterAllHands(t *testing.T) {
	for won, want := range map[[3]float64]int{{5, -5, 0}: 2, {5, -1, -4}: 1, {8, -4, -4}: -1, {-6, 4, 2}: 1} {
		m := start(t, rulesOf(t, "kuhn-3p"), 1, 1)
		for !m.over() {
			moves := make([]string, 3)
			moves[m.actor()] = "c"
			if err := m.Play(moves); err != nil {
				t.Fatal(err)
			}
		}
		m.won = won[:]
		if r := m.End([]int{0}, "chips"); r.Winner != want || !slices.Equal(r.Score, won[:]) {
			t.Errorf("won %v: %+v, want %d", won, r, want)
		}
	}
}

func TestOptions(t *testing.T) {
	r := rulesOf(t, "leduc")
	for _, text := range []string{`{"hands":0}`, `{"hands":201}`, `{"hands":"x"}`, `{"seed":1}`, `[]`} {
		if _, err := r.New(json.RawMessage(text)); err == nil {
			t.Errorf("%s starts a match", text)
		}
	}
	if _, err := r.Deal(nil, make([]byte, 4)); err == nil {
		t.Error("a seed that can be guessed is taken")
	}
	g, err := r.New(nil)
	if err != nil || string(g.Options()) != `{"hands":24}` {
		t.Errorf("%v, %v", g, err)
	}
}

// FuzzCheck gives a match any text as a move. What Check returns can be played.
func FuzzCheck(f *testing.F) {
	for _, move := range []string{"f", "c", "r", "r300", "r99999999999", "R", " c", "r-1", "rr", ""} {
		f.Add(move)
	}
	f.Fuzz(func(t *testing.T, move string) {
		for _, name := range []string{"leduc", "leduc-nolimit"} {
			m := start(t, rulesOf(t, name), 2, 1)
			text, err := m.Check(0, move)
			if err != nil {
				continue
			}
			if again, err := m.Check(0, text); err != nil || again != text {
				t.Fatalf("%q is %q, which is %q, %v", move, text, again, err)
			}
			if err := m.Play([]string{text, ""}); err != nil {
				t.Fatalf("%q: %v", move, err)
			}
		}
	})
}
