package matrixbot

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/wire"
)

func decide(t *testing.T, player hexproto.Player, options string, seat, turns int) map[string]int {
	t.Helper()
	game := &wire.Game{Game: "g1", Rules: boards.MatrixName, Options: json.RawMessage(options)}
	e, err := Bot(player).Open(t.Context(), game, seat)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	count := map[string]int{}
	for game.Turn = range turns {
		d, err := e.Decide(t.Context(), game, hexproto.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		count[d.Move]++
	}
	return count
}

// What is played is the equilibrium: in its support only, and as often as its
// probabilities say, within five standard deviations.
func TestEquilibrium(t *testing.T) {
	const turns = 5000
	nfg := func(text string) string {
		quoted, _ := json.Marshal(text)
		return `{"game":` + string(quoted) + `,"rounds":10}`
	}
	for _, c := range []struct {
		options string
		seat    int
		want    map[string]float64
	}{
		{`{"game":"rock-paper-scissors","rounds":10}`, 0,
			map[string]float64{"rock": 1. / 3, "paper": 1. / 3, "scissors": 1. / 3}},
		{`{"game":"prisoners-dilemma","rounds":10}`, 1, map[string]float64{"defect": 1}},
		// Row mixes 2/3 to 1/3, column 1/4 to 3/4, and only so.
		{nfg("2 2\n3 0\n0 1\n0 1\n2 0\n"), 0, map[string]float64{"1": 2. / 3, "2": 1. / 3}},
		{nfg("2 2\n3 0\n0 1\n0 1\n2 0\n"), 1, map[string]float64{"1": 1. / 4, "2": 3. / 4}},
		// Of three equilibria the one that both gain most by.
		{nfg("2 2\n9 0\n0 1\n9 0\n0 1\n"), 0, map[string]float64{"1": 1}},
	} {
		got := decide(t, Equilibrium{}, c.options, c.seat, turns)
		for name, n := range got {
			p := c.want[name]
			if p == 0 || math.Abs(float64(n)-turns*p) > 5*math.Sqrt(turns*p*(1-p)) {
				t.Errorf("%s, seat %d: %s is played %d times of %d, want %v of it", c.options, c.seat, name, n,
					turns, p)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s, seat %d: plays %v, want %v", c.options, c.seat, got, c.want)
		}
	}
	if got := decide(t, Random{}, `{"game":"chicken","rounds":1}`, 0, 100); len(got) != 2 {
		t.Errorf("by chance: %v", got)
	}
}

// Other games and broken ones are refused.
func TestOpenRefuses(t *testing.T) {
	for _, player := range []hexproto.Player{Random{}, Equilibrium{}, BestReply{}} {
		for _, game := range []wire.Game{
			{Rules: "nim", Options: json.RawMessage(`{}`)},
			{Rules: boards.MatrixName, Options: json.RawMessage(`{"game":"chess","rounds":1}`)},
			{Rules: boards.MatrixName, Options: json.RawMessage(`{"game":"2 2\n1","rounds":1}`)},
			{Rules: boards.MatrixName, Options: json.RawMessage(`[]`)},
		} {
			if _, err := Bot(player).Open(t.Context(), &game, 0); err == nil {
				t.Errorf("%T opens %+v", player, game)
			}
		}
	}
}

func TestDraw(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	mixture := []*big.Rat{new(big.Rat), big.NewRat(1, 1), new(big.Rat)}
	for range 10 {
		if i := draw(mixture, rng); i != 1 {
			t.Fatalf("%d is drawn, which has no probability", i)
		}
	}
}
