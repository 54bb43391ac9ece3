package poker

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The games of the tests: two players, two rounds, six cards.
var (
	limitGame = &acpc.Game{
		Name: "limit", Betting: acpc.Limit, NumPlayers: 2, NumRounds: 2,
		Stack:     [acpc.MaxPlayers]int32{acpc.NoStackLimit, acpc.NoStackLimit},
		Blind:     [acpc.MaxPlayers]int32{1, 1},
		RaiseSize: [acpc.MaxRounds]int32{2, 4},
		MaxRaises: [acpc.MaxRounds]uint8{2, 2},
		NumSuits:  2, NumRanks: 3, NumHoleCards: 1,
		NumBoardCards: [acpc.MaxRounds]uint8{0, 1},
	}
	noLimitGame = &acpc.Game{
		Name: "nolimit", Betting: acpc.NoLimit, NumPlayers: 2, NumRounds: 2,
		Stack:     [acpc.MaxPlayers]int32{200, 200},
		Blind:     [acpc.MaxPlayers]int32{1, 2},
		MaxRaises: [acpc.MaxRounds]uint8{acpc.NoRaiseLimit, acpc.NoRaiseLimit},
		NumSuits:  2, NumRanks: 3, NumHoleCards: 1,
		NumBoardCards: [acpc.MaxRounds]uint8{0, 1},
	}
)

func newOpponent(t *testing.T, kind string, seed uint64) acpc.Player {
	t.Helper()
	p, err := NewOpponent(kind, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// playHand plays one hand, the position pos in seat (pos+rotation) mod n, and
// returns its betting as the protocol writes it.
func playHand(t *testing.T, g *acpc.Game, rotation uint32, seats []acpc.Player) string {
	t.Helper()
	var betting []byte
	for s := g.NewState(rotation); !s.Finished(); {
		view := s.View(s.Actor())
		seat := (view.Viewer + int(rotation)) % g.NumPlayers
		a, err := seats[seat].Act(t.Context(), &view)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(a); err != nil {
			t.Fatalf("hand %d, after %q: %v", rotation, betting, err)
		}
		betting = a.Append(betting)
		round := s.Round()
		s.Apply(a)
		betting = append(betting, strings.Repeat("/", s.Round()-round)...)
	}
	return string(betting)
}

func TestPlainOpponents(t *testing.T) {
	for _, test := range []struct {
		game          *acpc.Game
		first, second string
		want          string
	}{
		{limitGame, "call", "call", "cc/cc"},
		{limitGame, "raise", "raise", "rrc/rrc"},
		{limitGame, "raise", "fold", "rf"},
		{limitGame, "fold", "call", "cc/cc"},
		{limitGame, "call", "raise", "crc/crc"},
		{noLimitGame, "fold", "call", "f"},
		{noLimitGame, "call", "fold", "cc/cc"},
		{noLimitGame, "call", "raise", "cr4c/cr6c"},
		{limitGame, "allin", "call", "rc/rc"},
	} {
		seats := []acpc.Player{newOpponent(t, test.first, 0), newOpponent(t, test.second, 0)}
		if got := playHand(t, test.game, 0, seats); got != test.want {
			t.Errorf("%s, %s against %s: %s, want %s", test.game.Name, test.first, test.second, got, test.want)
		}
	}
}

func TestNewOpponentUnknown(t *testing.T) {
	_, err := NewOpponent("shark", 1)
	if want := `opponent "shark" is not one of random, call, raise, allin, fold`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The frequencies of 100,000 draws are within five standard deviations of the
// weights of legal actions.
func TestRandomDistribution(t *testing.T) {
	start := limitGame.NewState(0)
	raised, capped := start, start
	raised.Apply(acpc.Action{Type: acpc.Raise})
	capped.Apply(acpc.Action{Type: acpc.Raise})
	capped.Apply(acpc.Action{Type: acpc.Raise})
	for name, test := range map[string]struct {
		state acpc.State
		want  [3]float64 // fold, call, raise
	}{
		"nothing to call": {start, [3]float64{0, .5, .5}},
		"everything":      {raised, [3]float64{.06, .47, .47}},
		"no more raises":  {capped, [3]float64{.06 / .53, .47 / .53, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			const draws = 100_000
			player, view := newOpponent(t, "random", 1), test.state.View(test.state.Actor())
			var count [3]int
			for range draws {
				a, err := player.Act(t.Context(), &view)
				if err != nil {
					t.Fatal(err)
				}
				count[a.Type]++
			}
			for i, p := range test.want {
				if got, sd := float64(count[i])/draws, math.Sqrt(p*(1-p)/draws); math.Abs(got-p) > 5*sd {
					t.Errorf("%v: frequency %.4f, want %.4f", acpc.Action{Type: acpc.ActionType(i)}, got, p)
				}
			}
		})
	}
}

// Every legal size of a raise is as likely as another.
func TestRandomRaiseSizes(t *testing.T) {
	s := noLimitGame.NewState(0)
	player, view := newOpponent(t, "random", 1), s.View(s.Actor())
	minTo, maxTo, _ := s.RaiseBounds()
	count, raises := map[int32]int{}, 0
	for range 100_000 {
		a, err := player.Act(t.Context(), &view)
		if err != nil {
			t.Fatal(err)
		}
		if a.Type == acpc.Raise {
			count[a.Size]++
			raises++
		}
	}
	p := 1 / float64(maxTo-minTo+1)
	mean, sd := float64(raises)*p, math.Sqrt(float64(raises)*p*(1-p))
	for size := minTo; size <= maxTo; size++ {
		if math.Abs(float64(count[size])-mean) > 5*sd {
			t.Errorf("raise to %d: %d times, want about %.0f", size, count[size], mean)
		}
		delete(count, size)
	}
	if len(count) > 0 {
		t.Errorf("sizes outside %d to %d: %v", minTo, maxTo, count)
	}
}

// The golden file pins the stream of draws; TestReferenceExamplePlayer says
// that it is the original's.
func TestRandomGolden(t *testing.T) {
	var got strings.Builder
	for _, g := range []*acpc.Game{limitGame, noLimitGame} {
		seats := []acpc.Player{newOpponent(t, "random", 1), newOpponent(t, "random", 2)}
		for hand := range uint32(20) {
			fmt.Fprintf(&got, "%s %d %s\n", g.Name, hand, playHand(t, g, hand, seats))
		}
	}
	file := filepath.Join("testdata", "random.golden")
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
