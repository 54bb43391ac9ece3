package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"

	"gamebots/cmd/gamebots/internal/figures"
	"gamebots/solvers/nash/extensive"
)

// An extensiveResult is what solve extensive prints: an equilibrium that was found
// exactly, or trained strategies.
type extensiveResult struct {
	game       *extensive.Game
	method     string
	profile    extensive.Profile
	payoffs    []*big.Rat
	gains      []*big.Rat // by deviating
	subgames   int        // of an exact solution
	iterations uint64     // of a training
	number     func(*big.Rat) string
}

// exact reports whether the result is proved to be an equilibrium.
func (r *extensiveResult) exact() bool { return isExact(r.method) }

func (f *extensiveFlags) print(w io.Writer, r *extensiveResult) error {
	if f.json {
		return json.NewEncoder(w).Encode(r.json())
	}
	_, err := io.WriteString(w, r.text())
	return err
}

// text lists the strategies by player, and then the verdict.
func (r *extensiveResult) text() string {
	var out strings.Builder
	for p := range r.game.Players {
		for i := range r.game.Sets {
			if r.game.Sets[i].Player == p {
				fmt.Fprintf(&out, "%s, %s: %s\n", r.game.PlayerName(p), r.game.SetName(i), r.strategy(i))
			}
		}
	}
	out.WriteString(r.verdict() + "\n")
	return out.String()
}

// strategy returns the actions of an information set that are played.
func (r *extensiveResult) strategy(set int) string {
	var played []string
	for a, x := range r.profile[set] {
		switch name := r.game.ActionName(set, a); {
		case x.IsInt() && x.Sign() > 0:
			return name
		case x.Sign() > 0:
			played = append(played, name+" "+r.short(x))
		}
	}
	return strings.Join(played, ", ")
}

// maxFraction is the length of fractions that are easily read.
const maxFraction = 24

// short returns a number, rounded to ten digits if its fraction is long.
func (r *extensiveResult) short(x *big.Rat) string {
	if text := r.number(x); len(text) <= maxFraction {
		return text
	}
	y, _ := x.Float64()
	return fmt.Sprintf("%.10f...", y)
}

func (r *extensiveResult) shorts(numbers []*big.Rat) string {
	words := make([]string, len(numbers))
	for i, x := range numbers {
		words[i] = r.short(x)
	}
	return strings.Join(words, ", ")
}

// verdict says what was found.
func (r *extensiveResult) verdict() string {
	payoffs, zeroSum := "payoffs "+r.shorts(r.payoffs), len(r.game.Players) == 2 && r.game.ConstantSum()
	if !r.exact() {
		text := fmt.Sprintf("%s; %s of %s; best responses gain %s", payoffs, figures.Counted(int(r.iterations), "iteration", "iterations"), r.method, r.shorts(r.gains))
		if !zeroSum {
			text += "; in this game CFR need not lead to an equilibrium"
		}
		return text
	}
	kind := "a subgame perfect equilibrium of " + figures.Counted(r.subgames, "subgame", "subgames")
	if r.method == bySequence {
		kind = "a Nash equilibrium"
	}
	text := payoffs + "; " + kind + ", verified exactly; "
	if zeroSum {
		return text + "all equilibria have these payoffs"
	}
	return text + "there may be others"
}

// A strategyJSON is the strategy of an information set as JSON.
type strategyJSON struct {
	Player        int      `json:"player"` // from 0
	Set           string   `json:"set"`
	Actions       []string `json:"actions"`
	Probabilities []string `json:"probabilities"`
}

// An extensiveJSON is a result as JSON. Exact numbers are fractions.
type extensiveJSON struct {
	Title      string         `json:"title"`
	Players    []string       `json:"players"`
	Method     string         `json:"method"`
	Iterations uint64         `json:"iterations,omitempty"`
	Subgames   int            `json:"subgames,omitempty"`
	Strategies []strategyJSON `json:"strategies"`
	Payoffs    []string       `json:"payoffs"`
	Gains      []string       `json:"gains"`
	ZeroSum    bool           `json:"zero_sum"`
	Verified   bool           `json:"verified"`
}

func (r *extensiveResult) json() extensiveJSON {
	out := extensiveJSON{
		Title: r.game.Title, Players: r.game.Players, Method: r.method, Iterations: r.iterations, Subgames: r.subgames, Strategies: []strategyJSON{},
		Payoffs: r.numbers(r.payoffs), Gains: r.numbers(r.gains), ZeroSum: len(r.game.Players) == 2 && r.game.ConstantSum(), Verified: r.exact(),
	}
	for i, s := range r.profile {
		if s != nil {
			set := &r.game.Sets[i]
			out.Strategies = append(out.Strategies, strategyJSON{set.Player, r.game.SetName(i), set.Actions, r.numbers(s)})
		}
	}
	return out
}

func (r *extensiveResult) numbers(x []*big.Rat) []string {
	words := make([]string, len(x))
	for i, v := range x {
		words[i] = r.number(v)
	}
	return words
}
