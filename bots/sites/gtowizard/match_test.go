package gtowizard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/bots/poker"
	"gamebots/bots/sites"
	"gamebots/bots/sites/gtowizard/gtowizardtest"
	"gamebots/bots/sites/gtowizard/standin"
	"gamebots/configs"
	"gamebots/internal/usererr"
)

const secret = "s3cret-k3y"

func game(t testing.TB) *acpc.Game {
	t.Helper()
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func opponent(t testing.TB, name string, seed uint64) acpc.Player {
	t.Helper()
	p, err := poker.NewOpponent(name, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func server(t testing.TB, bot string) *gtowizardtest.Site {
	return &gtowizardtest.Site{Server: &standin.Server{Game: game(t), Bot: opponent(t, bot, 7), Key: secret}}
}

// transport brings requests to a handler without a network, so that time can be a test's. An aborted answer is a broken
// connection.
type transport struct{ http.Handler }

func (t transport) RoundTrip(r *http.Request) (response *http.Response, err error) {
	defer func() {
		if recover() != nil {
			response, err = nil, errors.New("connection reset by peer")
		}
	}()
	w := httptest.NewRecorder()
	t.ServeHTTP(w, r)
	return w.Result(), r.Context().Err()
}

// match returns a match of a plain opponent against a server.
func match(t testing.TB, server http.Handler, player string, hands, concurrent int) *Match {
	t.Helper()
	key, err := sites.NewKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	m := &Match{Client: NewClient("https://gtowizard.test", "gamebots/test", key, time.Minute), Game: game(t),
		Name: "me", Hands: hands}
	m.Client.Transport = transport{server}
	for i := range concurrent {
		m.Players = append(m.Players, opponent(t, player, uint64(i)))
	}
	m.OnFailure = func(err error) { t.Errorf("failure: %v", err) }
	return m
}

// settled reports what is wrong at a server after a match: hands that are open or were played twice, and refusals.
func settled(t *testing.T, s *gtowizardtest.Site) (over map[int64]*standin.Hand) {
	t.Helper()
	over, open := s.Hands()
	if len(open) > 0 {
		t.Errorf("%d hands are open", len(open))
	}
	if _, _, refused := s.Counts(); len(refused) > 0 {
		t.Errorf("%d refusals, the first: %s", len(refused), refused[0])
	}
	return over
}

// logged returns the hands of a log by number.
func logged(t *testing.T, path string) map[int64]*history.Hand {
	t.Helper()
	all := map[int64]*history.Hand{}
	for h, err := range history.Hands([]string{path}, game(t)) {
		if err != nil {
			t.Fatal(err)
		}
		if all[int64(h.HandID)] != nil {
			t.Errorf("hand %d is there twice", h.HandID)
		}
		all[int64(h.HandID)] = h
	}
	return all
}

// Hands of all kinds of betting are those of the server: their chips, their number and their lines in a log.
func TestMatch(t *testing.T) {
	for _, names := range [][2]string{{"random", "random"}, {"random", "raise"}, {"raise", "raise"}, {"call", "random"},
		{"fold", "raise"}, {"allin", "call"}, {"random", "allin"}} {
		for _, file := range []string{"hands.log", "hands.phhs"} {
			t.Run(fmt.Sprintf("%s against %s, %s", names[0], names[1], file), func(t *testing.T) {
				s := server(t, names[1])
				s.RoundEnds = file == "hands.log"
				m := match(t, s, names[0], 100, 5)
				m.Log.Path = filepath.Join(t.TempDir(), file)
				positions := [2]int{}
				m.OnHand = func(_ *history.Hand, position int) { positions[position]++ }
				if err := m.Play(t.Context()); err != nil {
					t.Fatal(err)
				}
				over, total := settled(t, s), 0.0
				hands := logged(t, m.Log.Path)
				for id, h := range over {
					total += h.State.Value(h.Position)
					if one := hands[id]; one == nil || one.Values[h.Position] != h.State.Value(h.Position) ||
						one.Names[h.Position] != "me" || one.Names[1-h.Position] != Name {
						t.Errorf("hand %d is in the log as %+v", id, one)
					}
				}
				if len(hands) != 100 || len(over) != 100 || positions != [2]int{50, 50} || m.Won.N != 100 ||
					math.Abs(m.Won.Mean()*100-total) > 1e-6 {
					t.Errorf("%d hands in the log, %v played, won %g; the server has %d and paid %g",
						len(hands), positions, m.Won.Mean()*100, len(over), total)
				}
				if math.Abs(10*m.Site.Mean()-m.Won.Mean()) > 1e-6 || m.Site.N != 100 {
					t.Errorf("%d scores, a mean %g of %g", m.Site.N, m.Site.Mean(), m.Won.Mean())
				}
			})
		}
	}
}

// Whatever requests fail, before or after the site has fulfilled them: each hand is played to its end, no action twice.
// A hand whose last answer was lost is counted as such.
func TestFaults(t *testing.T) {
	for _, player := range []string{"random", "call"} {
		t.Run(player, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := server(t, "random")
				s.Fault = gtowizardtest.Faults(rand.New(rand.NewPCG(1, 2)), 0.1)
				m := match(t, s, player, 500, 5)
				m.Log.Path = filepath.Join(t.TempDir(), "hands.phhs")
				m.OnFailure = func(err error) {
					if !errors.Is(err, errUnread) {
						t.Error(err)
					}
				}
				if err := m.Play(t.Context()); err != nil {
					t.Fatal(err)
				}
				over, unread := settled(t, s), 0
				hands := logged(t, m.Log.Path)
				for id := range over {
					if hands[id] == nil {
						unread++
						if !s.Unread(id) {
							t.Errorf("hand %d is not in the log, and its last answer came", id)
						}
					}
				}
				if _, spoiled, _ := s.Counts(); spoiled < 100 || len(hands) != 500 || m.Won.N != 500 || unread == 0 ||
					m.Lost > unread || len(over) != 500+unread {
					t.Errorf("%d faults, %d hands in the log, %d lost; the server has %d, %d of them unread",
						spoiled, len(hands), m.Lost, len(over), unread)
				}
			})
		})
	}
}

// An action that a failed request has taken, or not, is taken once. The site counts the actions of each hand.
func TestOnce(t *testing.T) {
	for _, fault := range []gtowizardtest.Fault{
		{Status: 502}, {Status: 503, After: true}, {Cut: true}, {Cut: true, After: true},
	} {
		t.Run(fmt.Sprintf("%+v", fault), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := server(t, "call")
				s.Fault = func(n int) gtowizardtest.Fault {
					if n%5 == 3 {
						return fault
					}
					return gtowizardtest.Fault{}
				}
				m := match(t, s, "call", 20, 1)
				m.OnFailure = func(err error) {
					if !errors.Is(err, errUnread) {
						t.Error(err)
					}
				}
				if err := m.Play(t.Context()); err != nil {
					t.Fatal(err)
				}
				for id, h := range settled(t, s) {
					if h.Actions != 4 { // a check or a call in each round
						t.Errorf("hand %d has %d actions: %v", id, h.Actions, h.History)
					}
				}
			})
		})
	}
}

// A match that is interrupted keeps what was done, and the next run goes on with the hands that are open.
func TestInterrupted(t *testing.T) {
	for _, name := range []string{"hands.log", "hands.phhs"} {
		t.Run(name, func(t *testing.T) {
			s := server(t, "random")
			path, runs, opened := filepath.Join(t.TempDir(), name), 0, 0
			for random := rand.New(rand.NewPCG(3, 4)); ; runs++ {
				ctx, cancel := context.WithCancel(t.Context())
				left := 1 + random.IntN(60)
				s.Fault = func(int) gtowizardtest.Fault {
					if left--; left == 0 {
						cancel()
					}
					return gtowizardtest.Fault{}
				}
				m := match(t, s, "random", 100, 4)
				m.Log.Path = path
				m.OnOpen = func(n int) { opened += n }
				err := m.Play(ctx)
				cancel()
				if err == nil {
					break
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
			}
			over, hands := settled(t, s), logged(t, path)
			if runs < 3 || opened == 0 || len(hands) != 100 || !slices.Equal(slices.Sorted(maps.Keys(over)),
				slices.Sorted(maps.Keys(hands))) {
				t.Errorf("%d runs, %d hands taken up, %d in the log; the server has %d",
					runs, opened, len(hands), len(over))
			}
		})
	}
}

// An answer that cannot be right is not believed: the hand goes on as the list of hands in progress says, or is left
// as it stands. Five in a row end the match.
func TestSpoiledAnswers(t *testing.T) {
	state := func(key string, value any) func(map[string]any) {
		return func(a map[string]any) { a["game_state"].(map[string]any)[key] = value }
	}
	seat := func(i int, key string, value any) func(map[string]any) {
		return func(a map[string]any) {
			a["game_state"].(map[string]any)["players"].([]any)[i].(map[string]any)[key] = value
		}
	}
	for _, c := range []struct {
		name   string
		change func(map[string]any)
		want   string
	}{
		{"number", func(a map[string]any) { a["hand_id"] = -1 }, "no number of a"},
		{"game", func(a map[string]any) { a["game"] = map[string]any{"game_name": "HUNL 100BB"} }, "its game is"},
		{"street", state("street", "showdown"), "the street is"},
		{"pot", state("total_pot", 1), "the pot is"},
		{"over", state("is_hand_over", true), "is_hand_over is true"},
		{"winnings", state("winnings", 100), "goes on"},
		{"board", state("board_cards", "As"), "the board has 1 cards"},
		{"half a card", state("board_cards", "A"), "the board has 1 cards"},
		{"history", state("action_history", []string{"b1"}), "is illegal"},
		{"legal", state("legal_actions", []string{}), "it allows"},
		{"no hole cards", seat(0, "hole_cards", nil), "the hand has 0 cards"},
		{"a card twice", seat(0, "hole_cards", "AsAs"), "dealt twice"},
		{"one player", state("players", []any{}), "the players are not"},
		{"position", seat(0, "position", "BTN"), "the positions are"},
		{"no JSON", state("total_pot", "much"), "no JSON object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for _, always := range []bool{false, true} {
					s := server(t, "call")
					answers := 0
					s.Change = func(a map[string]any) {
						if answers++; always || answers == 1 {
							c.change(a)
						}
					}
					m := match(t, s, "call", 3, 1)
					m.OnFailure = func(err error) {
						if !strings.Contains(err.Error(), c.want) {
							t.Error(err)
						}
					}
					err := m.Play(t.Context())
					if !always && (err != nil || m.Won.N != 3) {
						t.Errorf("%d hands: %v", m.Won.N, err)
					}
					if always && (err == nil || !strings.Contains(err.Error(), c.want) || m.Won.N > 0) {
						t.Errorf("%d hands, want an error with %q: %v", m.Won.N, c.want, err)
					}
				}
			})
		})
	}
}

// Refusals that end a match, with a hint.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Match)
		want   string
		hint   string
	}{
		"wrong key": {func(m *Match) { m.Client.Key, _ = sites.NewKey("other-k3y") }, "Invalid API Key", "key"},
		"no agent":  {func(m *Match) { m.Client.Agent = "Go-http-client/1.1" }, "1010", "key"},
		"insecure":  {func(m *Match) { m.Client.URL = "http://gtowizard.test" }, "https only", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := match(t, server(t, "call"), "call", 3, 2)
			c.change(m)
			err := m.Play(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(usererr.Hint(err), c.hint) ||
				strings.Contains(err.Error(), "k3y") {
				t.Errorf("%v, hint: %s", err, usererr.Hint(err))
			}
		})
	}
}

// Where the site lets no more hands be open, the match waits for one to end.
func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := server(t, "random")
		m := match(t, s, "random", 100, 25)
		if err := m.Play(t.Context()); err != nil {
			t.Fatal(err)
		}
		if over := settled(t, s); len(over) != 100 || m.Won.N != 100 {
			t.Errorf("%d hands, and the server has %d", m.Won.N, len(over))
		}
	})
}

// broken is a player whose action is illegal.
type broken struct{}

func (broken) Act(context.Context, *acpc.MatchState) (acpc.Action, error) {
	return acpc.Action{Type: acpc.Raise, Size: 1}, nil
}

// A fault of the player ends the match: it is no failure of the site.
func TestBrokenPlayer(t *testing.T) {
	m := match(t, server(t, "call"), "call", 1, 1)
	m.Players[0] = broken{}
	if err := m.Play(t.Context()); err == nil || m.Won.N > 0 {
		t.Errorf("%d hands: %v", m.Won.N, err)
	}
}

// A log of other players is not continued.
func TestOtherLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hands.log")
	m := match(t, server(t, "call"), "call", 3, 1)
	m.Log.Path = path
	if err := m.Play(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m = match(t, server(t, "call"), "call", 3, 1)
	m.Log.Path, m.Name = path, "somebody"
	if err := m.Play(t.Context()); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the log is now %s: %v", after, err)
	}
}

// The player is the one without the site's name, or without names the one with cards.
func TestSeats(t *testing.T) {
	for _, c := range []struct{ first, second player }{
		{player{Name: "us", Hole: "AsAd"}, player{Name: "GTO Wizard"}},
		{player{Name: "us", Hole: "AsAd"}, player{Name: "GTO Wizard", Hole: "KsKd"}},
		{player{Name: "us"}, player{Name: "GTO Wizard AI", Hole: "KsKd"}},
		{player{Name: "us", Hole: "AsAd"}, player{Name: "them"}},
		{player{Name: "GTO Wizard fan", Hole: "AsAd"}, player{Name: "GTO Wizard"}},
	} {
		c.first.Position, c.second.Position = "SB", "BB"
		for _, players := range [][]player{{c.first, c.second}, {c.second, c.first}} {
			var a answer
			a.State.Players = players
			if own, other, err := a.seats(); err != nil || *own != c.first || *other != c.second {
				t.Errorf("%v: %v and %v, %v", players, own, other, err)
			}
		}
	}
	var a answer
	a.State.Players = []player{{Name: "us", Hole: "AsAd"}, {Name: "them", Hole: "KsKd"}}
	if own, _, err := a.seats(); err == nil {
		t.Errorf("the player is %v", own)
	}
}

// An action is taken as the site allows it.
func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		text  string
		legal string
		raise *bounds
		want  string
	}{
		{"b300", "fcb", &bounds{200, 20000}, "b300"},
		{"b300", "fcb", &bounds{400, 20000}, "b400"},
		{"b300", "kb", &bounds{100, 250}, "b250"},
		{"b300", "fc", nil, "c"},
		{"b300", "k", nil, "k"},
		{"c", "k", nil, "k"},
		{"f", "fc", nil, "f"},
		{"f", "kb", &bounds{100, 200}, ""},
		{"c", "", nil, ""},
	} {
		var a answer
		a.State.Legal, a.State.Raise = strings.Split(c.legal, ""), c.raise
		if got, err := a.allowed(c.text); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s of %s %v: %s, %v", c.text, c.legal, c.raise, got, err)
		}
	}
}

// The results of a key are those of the server.
func TestResults(t *testing.T) {
	m := match(t, server(t, "random"), "random", 50, 3)
	if err := m.Play(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := FetchResults(t.Context(), m.Client)
	if err != nil || r.Hands != 50 || math.Abs(r.Won-m.Won.Mean()) > 1e-6 || math.Abs(r.Score-m.Site.Mean()) > 1e-6 {
		t.Errorf("%+v: %v", r, err)
	}
	r.Hands, r.Won = 60, (m.Won.Mean()*50+10*123)/60 // ten more hands
	if others := r.Without(m.Won); others.Hands != 10 || math.Abs(others.Won-123) > 1e-6 {
		t.Errorf("without those known: %+v", others)
	}
}
