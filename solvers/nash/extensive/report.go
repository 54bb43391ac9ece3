package extensive

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"gamebots/internal/usererr"
	"gamebots/solvers/nash/game"
)

// A Report is what was found in a game, for people and as JSON: an equilibrium that is proved
// exactly, or strategies that were trained.
type Report struct {
	Game    *Game
	Method  string // how they were found
	Profile Profile
	Payoffs []*big.Rat // expected payoff of each player
	Gains   []*big.Rat // what a best response gains each player

	Exact      bool   // the profile is proved to be an equilibrium
	Perfect    bool   // the equilibrium is subgame perfect
	Subgames   int    // subgames that were solved for an exact profile
	Iterations uint64 // iterations of a training
}

// WriteText lists the strategies by player, and then the verdict.
func (r *Report) WriteText(w io.Writer) error {
	var out strings.Builder
	for p := range r.Game.Players {
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

// numbers formats exact numbers as fractions, others as decimals.
func (r *Report) numbers(x []*big.Rat) []string {
	words := game.Fractions(x)
	for i, v := range x {
		if !r.Exact {
			y, _ := v.Float64()
			words[i] = strconv.FormatFloat(y, 'g', 6, 64)
		}
	}
	return words
}

// maxFraction is the length of fractions that are easily read.
const maxFraction = 24

// short returns numbers, rounded to ten digits where a fraction is long.
func (r *Report) short(x ...*big.Rat) string {
	words := r.numbers(x)
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
		text := fmt.Sprintf("%s; %s of %s; best responses gain %s",
			payoffs, usererr.Counted(int(r.Iterations), "iteration", "iterations"), r.Method, r.short(r.Gains...))
		if !r.zeroSum() {
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

// WriteJSON writes one JSON object. Exact numbers are fractions.
func (r *Report) WriteJSON(w io.Writer) error {
	type strategy struct {
		Player        int      `json:"player"` // from 0
		Set           string   `json:"set"`
		Actions       []string `json:"actions"`
		Probabilities []string `json:"probabilities"`
	}
	strategies := []strategy{}
	for i, s := range r.Profile {
		if s != nil {
			set := &r.Game.Sets[i]
			strategies = append(strategies, strategy{set.Player, r.Game.label(i), set.Actions, r.numbers(s)})
		}
	}
	return json.NewEncoder(w).Encode(struct {
		Title      string     `json:"title"`
		Players    []string   `json:"players"`
		Method     string     `json:"method"`
		Iterations uint64     `json:"iterations,omitempty"`
		Subgames   int        `json:"subgames,omitempty"`
		Strategies []strategy `json:"strategies"`
		Payoffs    []string   `json:"payoffs"`
		Gains      []string   `json:"gains"`
		ZeroSum    bool       `json:"zero_sum"`
		Verified   bool       `json:"verified"`
	}{
		r.Game.Title, r.Game.Players, r.Method, r.Iterations, r.Subgames, strategies,
		r.numbers(r.Payoffs), r.numbers(r.Gains), r.zeroSum(), r.Exact,
	})
}
