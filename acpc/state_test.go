package acpc

import (
	"fmt"
	"strings"
	"testing"
)

// parseGame reads a definition of limit hold'em for two with lines replaced.
func parseGame(t *testing.T, lines ...string) *Game {
	t.Helper()
	text := `limit
numPlayers = 2
numRounds = 4
blind = 5 10
raiseSize = 10 10 20 20
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
` + strings.Join(lines, "\n")
	g, err := ParseGame("test.game", text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// after plays a betting text, slashes left out.
func after(t *testing.T, g *Game, betting string) State {
	t.Helper()
	s := g.NewState(0)
	for betting != "" {
		a, n, err := g.ParseAction(betting)
		if err == nil {
			err = s.Check(a)
		}
		if err != nil {
			t.Fatalf("at %q: %v", betting, err)
		}
		s.Apply(a)
		betting = betting[n:]
	}
	return s
}

// TestSituations checks the peculiarities of the original's rules.
func TestSituations(t *testing.T) {
	limit := parseGame(t)
	nolimit := parseGame(t, "nolimit", "stack = 200 200", "blind = 50 100")
	short := parseGame(t, "nolimit", "numPlayers = 4", "stack = 150 400 1000 2500", "blind = 50 100 0 0",
		"firstPlayer = 3 1 1 1")
	for _, c := range []struct {
		name    string
		game    *Game
		betting string
		want    string // actor, may fold, raise bounds
	}{
		{"small blind acts", limit, "", "0 true [0 0 true]"},
		{"big blind has the option", limit, "c", "1 false [0 0 true]"},
		{"first raise doubles the blind", nolimit, "", "0 true [200 200 true]"},
		{"no raise against an all-in", nolimit, "r200", "1 true [0 0 false]"},
		{"overbet", short, "", "2 true [200 1000 true]"},
		{"short all-in does not move the smallest raise", short, "ccr150", "1 true [200 400 true]"},
		{"the next raise is half a blind", short, "ccr150r200", "2 true [250 1000 true]"},
		{"short all-in", short, "r350", "3 true [600 2500 true]"},
		{"less than a full raise is all-in", short, "r350cf", "1 true [400 400 true]"},
		{"no actor at the end", limit, "f", "-1 false [0 0 false]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := after(t, c.game, c.betting)
			minTo, maxTo, ok := s.RaiseBounds()
			got := fmt.Sprintf("%d %v [%d %d %v]", s.Actor(), s.CanFold(), minTo, maxTo, ok)
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestEndings checks how hands end that the usual games do not see. Without
// cards every showdown is a tie.
func TestEndings(t *testing.T) {
	for _, c := range []struct {
		name    string
		lines   []string
		betting string
		want    string // betting and values
	}{
		{"all-in runs the board", []string{"nolimit", "stack = 200 200"}, "cr200c", "cr200c/// 0|0"},
		{"alone against a blind", []string{"stack = 5 50"}, "c", "c/// 0|0"},
		{"all-in from the blinds", []string{"stack = 5 10"}, "", "/// 0|0"},
		{"a short raise lowers the bet", []string{"stack = 15 50", "blind = 10 10"}, "crrf", "crrf 20|-20"},
		{"nobody has chips in", []string{"blind = 0 0"}, "cccccccc", "cc/cc/cc/cc 0|0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := parseGame(t, c.lines...)
			g.UnderRaise = true
			s := after(t, g, c.betting)
			if !s.Finished() {
				t.Fatalf("%s goes on", s.Append(nil))
			}
			fields := strings.Split(string(s.AppendResult(nil, []string{"A", "B"})), ":")
			if got := fields[2] + " " + fields[4]; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestLongestRound raises by one chip until the round is full.
func TestLongestRound(t *testing.T) {
	g := parseGame(t, "nolimit", "blind = 1 1")
	s := g.NewState(0)
	for s.Round() == 0 {
		a := Action{Type: Call}
		if minTo, _, ok := s.RaiseBounds(); ok {
			a = Action{Raise, minTo}
		} else if !s.RaiseForbiddenByLength() {
			t.Fatal("no raise, and not for the length")
		}
		s.Apply(a)
	}
	if n := len(s.Actions(0)); n != MaxActions {
		t.Errorf("%d actions, want %d", n, MaxActions)
	}
}

func TestFix(t *testing.T) {
	nolimit := parseGame(t, "nolimit", "stack = 1000 1000", "blind = 50 100")
	limit := parseGame(t)
	for _, c := range []struct {
		name    string
		game    *Game
		betting string
		action  Action
		want    string
	}{
		{"too small", nolimit, "", Action{Raise, 1}, "r200 true"},
		{"too large", nolimit, "", Action{Raise, 5000}, "r1000 true"},
		{"legal", nolimit, "", Action{Raise, 333}, "r333 true"},
		{"no raise possible", nolimit, "r1000", Action{Raise, 333}, "r333 false"},
		{"illegal fold", nolimit, "c", Action{Type: Fold}, "f false"},
		{"legal fold", nolimit, "", Action{Type: Fold}, "f true"},
		{"limit", limit, "", Action{Type: Raise}, "r true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := after(t, c.game, c.betting)
			fixed, ok := s.Fix(c.action)
			if got := fmt.Sprint(fixed, ok); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	nolimit := parseGame(t, "nolimit", "stack = 1000 1000", "blind = 50 100")
	for _, c := range []struct {
		betting string
		action  Action
		want    string
	}{
		{"c", Action{Type: Fold}, "fold with nothing to call"},
		{"", Action{Raise, 199}, "raise to 199 is not from 200 to 1000"},
		{"r1000", Action{Raise, 1000}, "raise not allowed now"},
		{"", Action{Call, 5}, "only a raise has a size"},
		{"", Action{Type: 7}, "unknown action type 7"},
		{"f", Action{Type: Call}, "action after the end of the hand"},
	} {
		s := after(t, nolimit, c.betting)
		if err := s.Check(c.action); err == nil || err.Error() != c.want {
			t.Errorf("after %q: %v, want %s", c.betting, err, c.want)
		}
	}
}

// TestPot splits pots by hand ranks that are given.
func TestPot(t *testing.T) {
	g := parseGame(t, "nolimit", "numPlayers = 4", "stack = 100 200 300 300", "blind = 100 200 100 100")
	for _, c := range []struct {
		name    string
		betting string
		ranks   [MaxPlayers]int
		want    string
	}{
		{"best hand with the smallest stack", "r300c", [MaxPlayers]int{4, 3, 2, 1}, "300 100 -100 -300"},
		{"tie of two", "r300c", [MaxPlayers]int{1, 1, 4, 4}, "-100 -200 150 150"},
		{"tie of three", "r300c", [MaxPlayers]int{1, 4, 4, 4}, "-100 33.3333 33.3333 33.3333"},
		{"excess comes back", "r300f", [MaxPlayers]int{1, 3, 2, -1}, "-100 400 -200 -100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := after(t, g, c.betting)
			pot := s.Pot()
			var got []string
			for p := range g.NumPlayers {
				got = append(got, fmt.Sprintf("%.6g", pot.Value(p, &c.ranks)))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
}

// Pots of the largest stacks are larger than a stack may be.
func TestLargePots(t *testing.T) {
	g := parseGame(t, "nolimit", "numPlayers = 3", "stack = 2000000000 2000000000 2000000000", "blind = 1 2 0",
		"firstPlayer = 3 1 1 1")
	s := after(t, g, "r2000000000cc")
	if got := s.Pot().Chips(); got != 6_000_000_000 {
		t.Errorf("a pot of %d chips", got)
	}
	s = after(t, g, "r2000000000cf")
	if got := s.Pot().Chips(); got != 4_000_000_002 {
		t.Errorf("with a fold a pot of %d chips", got)
	}
}

// TestUnderRaise has a stack of 15 face a bet of 20: its raise would lower the
// bet, and the 20 of a player that folds to it would go to no player.
func TestUnderRaise(t *testing.T) {
	g := parseGame(t, "numPlayers = 3", "stack = 15 100 100", "blind = 5 10 0", "raiseSize = 10 10 20 20",
		"firstPlayer = 2 1 1 1")
	for _, g.UnderRaise = range []bool{true, false} {
		s := after(t, g, "cr")
		if _, _, ok := s.RaiseBounds(); ok != g.UnderRaise {
			t.Errorf("UnderRaise %v: raise legal: %v", g.UnderRaise, ok)
		}
		// A hand in which the original server has allowed it can be read.
		m, _, err := g.ParseMatchState("MATCHSTATE:0:0:crrf:2c2d||")
		if err != nil || m.MaxSpent() != 15 {
			t.Errorf("UnderRaise %v: %d is bet, %v", g.UnderRaise, m.MaxSpent(), err)
		}
	}
	g.Stack[0] = 25
	if s := after(t, g, "cr"); s.Check(Action{Type: Raise}) != nil {
		t.Error("a short raise that raises is not legal")
	}
}

// TestParseErrors says where a text is wrong.
func TestParseErrors(t *testing.T) {
	g := parseGame(t, "nolimit", "stack = 1000 1000", "blind = 50 100")
	for _, c := range []struct{ line, want string }{
		{"", `match state, byte 1: "MATCHSTATE:" is missing`},
		{"matchstate:0:0::AsAd|", `match state, byte 1: "MATCHSTATE:" is missing`},
		{"MATCHSTATE:x:0::AsAd|", "match state, byte 12: a number is missing"},
		{"MATCHSTATE:0:0", `match state, byte 15: ":" is missing`},
		{"MATCHSTATE:2:0::AsAd|", "match state, byte 14: viewer 2 of 2 players"},
		{"MATCHSTATE:0:0:x:AsAd|", "match state, byte 16: unknown action 'x'"},
		{"MATCHSTATE:0:0:rc:AsAd|", `match state, byte 16: no-limit raise without a size: "rc:AsAd|"`},
		{"MATCHSTATE:0:0:ccf:AsAd|/2c3c4c", "match state, byte 18: fold with nothing to call"},
		{"MATCHSTATE:0:0::As|", "match state, byte 19: 1 hole cards for position 0, not 2"},
		{"MATCHSTATE:0:0:cc/:AsAd|/2c3c", "match state, byte 30: 2 board cards in round 2, not 3"},
	} {
		if _, n, err := g.ParseMatchState(c.line); err == nil || err.Error() != c.want || n != 0 {
			t.Errorf("%q: %d, %v; want %s", c.line, n, err, c.want)
		}
	}
	for _, c := range []struct{ line, want string }{
		{"STATE:0:r200f:AsAd|KsKd", `result, byte 24: no ":values:names"`},
		{"STATE:0:r200f:AsAd|KsKd:1|x:A|B", `result: value "x" is not a number of chips`},
		{"STATE:0:r200f:AsAd|KsKd:1|nan:A|B", `result: value "nan" is not a number of chips`},
		{"STATE:0:r200f:AsAd|KsKd:1e19|1:A|B", `result: value "1e19" is not a number of chips`},
		{"STATE:0:r200f:AsAd|KsKd:-Inf|1:A|B", `result: value "-Inf" is not a number of chips`},
		{"STATE:0:r200f:AsAd|KsKd:100|-100:A", "result: 2 values and 1 names for 2 players"},
	} {
		if _, _, _, err := g.ParseResult(c.line); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v; want %s", c.line, err, c.want)
		}
	}
}

// TestMT19937 has the first outputs that every implementation gives.
func TestMT19937(t *testing.T) {
	for seed, want := range map[uint32][3]uint32{
		0:  {2357136044, 2546248239, 3071714933},
		5:  {953453411, 236996814, 3739766767},
		42: {1608637542, 3421126067, 4083286876},
	} {
		r := NewMT19937(seed)
		if got := [3]uint32{r.Uint32(), r.Uint32(), r.Uint32()}; got != want {
			t.Errorf("seed %d gives %v, want %v", seed, got, want)
		}
	}
	// The standard of C++ states the 10,000th number from the seed 5489.
	r := NewMT19937(5489)
	for range 9999 {
		r.Uint32()
	}
	if got := r.Uint32(); got != 4123659995 {
		t.Errorf("the 10,000th number is %d", got)
	}
}
