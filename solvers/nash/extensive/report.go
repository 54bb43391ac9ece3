package extensive

import (
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nash/bimatrix"
)

// A Report is what was found in a game, for people and as JSON: an equilibrium that is proved
// exactly, or strategies that were trained.
type Report struct {
	Game    *Game
	Source  string // name or file of the game, "" if it has none
	Method  string // how they were found
	Profile Profile
	Payoffs []*big.Rat // expected payoff of each player
	Gains   []*big.Rat // what a best response gains each player

	Exact      bool   // the profile is proved to be an equilibrium
	Given      bool   // the profile was given, and its gains are exact
	Perfect    bool   // the equilibrium is subgame perfect
	Subgames   int    // subgames that were solved for an exact profile
	Iterations uint64 // iterations of a training
}

// WriteText lists the strategies by player, and then the verdict.
func (r *Report) WriteText(w io.Writer) error {
	var out strings.Builder
	for p := range r.Game.Players {
		if r.Given { // who gave it knows it
			break
		}
		for i := range r.Game.Sets {
			if r.Game.Sets[i].Player == p {
				fmt.Fprintf(&out, "%s, %s: %s\n", r.Game.PlayerName(p), r.Game.SetName(i), r.strategy(i))
			}
		}
	}
	out.WriteString(r.verdict() + "\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// strategy returns the actions of an information set that are played.
func (r *Report) strategy(set int) string {
	var played []string
	names := r.Game.ActionNames(set)
	for a, x := range r.Profile[set] {
		switch name := names[a]; {
		case x.IsInt() && x.Sign() > 0:
			return name
		case x.Sign() > 0:
			played = append(played, name+" "+r.short(x))
		}
	}
	return strings.Join(played, ", ")
}

// numbers formats exact numbers as fractions, others as decimals with some digits, or with all if that is -1.
func (r *Report) numbers(x []*big.Rat, digits int) []string {
	if r.Exact || r.Given {
		return bimatrix.Fractions(x)
	}
	words := make([]string, len(x))
	for i, v := range x {
		y, _ := v.Float64()
		words[i] = strconv.FormatFloat(y, 'g', digits, 64)
	}
	return words
}

// maxFraction is the length of fractions that are easily read.
const maxFraction = 24

// short returns numbers, rounded to ten digits where a fraction is long.
func (r *Report) short(x ...*big.Rat) string {
	words := r.numbers(x, 6)
	for i, text := range words {
		if len(text) > maxFraction {
			y, _ := x[i].Float64()
			words[i] = fmt.Sprintf("%.10f...", y)
		}
	}
	return strings.Join(words, ", ")
}

// zeroSum reports whether two players play for a constant sum.
func (r *Report) zeroSum() bool { return len(r.Game.Players) == 2 && r.Game.ConstantSum() }

// verdict says what was found.
func (r *Report) verdict() string {
	payoffs := "payoffs " + r.short(r.Payoffs...)
	if !r.Exact {
		text := payoffs
		if !r.Given {
			text += fmt.Sprintf("; %s of %s", usererr.Iterations(r.Iterations), r.Method)
		}
		text += "; best responses gain " + r.short(r.Gains...)
		if !r.zeroSum() && !r.Given {
			text += "; in this game CFR need not lead to an equilibrium"
		}
		return text
	}
	kind := "a Nash equilibrium"
	if r.Perfect {
		kind = "a subgame perfect equilibrium of " + usererr.Counted(r.Subgames, "subgame", "subgames")
	}
	text := payoffs + "; " + kind + ", verified exactly; "
	if r.zeroSum() {
		return text + "all equilibria have these payoffs"
	}
	return text + "there may be others"
}

// JSON returns the report for JSON, of which [ReadProfile] reads the strategies. Exact numbers are fractions, and
// others have all digits of a float.
func (r *Report) JSON() any {
	strategies := []storedStrategy{}
	for i, s := range r.Profile {
		if s != nil {
			set := &r.Game.Sets[i]
			strategies = append(strategies, storedStrategy{
				set.Player, r.Game.label(i), set.Number, set.Actions, stored(r.numbers(s, -1)),
			})
		}
	}
	return struct {
		Title      string           `json:"title"`
		Game       string           `json:"game,omitempty"`
		Players    []string         `json:"players"`
		Method     string           `json:"method"`
		Iterations uint64           `json:"iterations,omitempty"`
		Subgames   int              `json:"subgames,omitempty"`
		Strategies []storedStrategy `json:"strategies"`
		Payoffs    []string         `json:"payoffs"`
		Gains      []string         `json:"gains"`
		ZeroSum    bool             `json:"zero_sum"`
		Verified   bool             `json:"verified"`
	}{
		r.Game.Title, r.Source, r.Game.Players, r.Method, r.Iterations, r.Subgames, strategies,
		r.numbers(r.Payoffs, -1), r.numbers(r.Gains, -1), r.zeroSum(), r.Exact,
	}
}
