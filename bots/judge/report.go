package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"gamebots/acpc/money"
	"gamebots/internal/stats"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/bestresponse"
)

// A Report writes what was measured of a subject, for people or as one JSON object. What is written as
// JSON is changed to the unit of the winnings.
type Report struct {
	*Subject
	money.Format // writes winnings
	Out          io.Writer
	JSON         bool
}

// encode writes an object as JSON.
func (r *Report) encode(object any) error { return json.NewEncoder(r.Out).Encode(object) }

// WriteAbstract writes values and best responses in the abstract game of a strategy.
func (r *Report) WriteAbstract(e publictree.Evaluation) error {
	actions, many := "", r.Game.NumPlayers > 2
	if r.Policy != nil {
		actions = r.Policy.Meta().Actions
	}
	name, measure := "exploitability", e.Exploitability
	if many {
		name, measure = "NashConv", e.NashConv
	}
	unit, chip := r.Data()
	if !r.JSON {
		fmt.Fprintf(r.Out, "%s\nposition  value         best response wins\n", r.Game.Name)
		for p := range e.Value {
			fmt.Fprintf(r.Out, "%8d  %-12.6g  %.6g\n", p+1, chip*e.Value[p], chip*e.BestResponse[p])
		}
		_, err := fmt.Fprintf(r.Out, "%s  %s\n", name, r.Amount(measure())+betting.AbstractGame(actions))
		return err
	}
	for i := range e.Value {
		e.Value[i] *= chip
		e.BestResponse[i] *= chip
	}
	object := struct {
		Game           string    `json:"game"`
		Values         []float64 `json:"values,omitempty"` // where there are more than two
		Value          *float64  `json:"value,omitempty"`
		BestResponse   []float64 `json:"best_response"`
		NashConv       *float64  `json:"nash_conv,omitempty"`
		Exploitability *float64  `json:"exploitability,omitempty"`
		Unit           string    `json:"unit"`
		Actions        string    `json:"actions,omitempty"`
	}{Game: r.Game.Name, BestResponse: e.BestResponse, Unit: unit, Actions: actions}
	if x := measure(); many {
		object.Values, object.NashConv = e.Value, &x
	} else {
		object.Value, object.Exploitability = &e.Value[0], &x
	}
	return r.encode(object)
}

// actions returns the raises to which the strategy's betting tree is limited, and with it a best response in the game
// itself; "" for all.
func (r *Report) actions() string {
	if r.Policy == nil {
		return r.Raises.Meta()
	}
	return r.Policy.Meta().Actions
}

// further returns the raises that a best response in the game itself has beside those of a strategy, "" for none.
func (r *Report) further() string {
	if r.Policy == nil {
		return ""
	}
	return r.Raises.Meta()
}

// raises returns the end of a sentence about a response that has the strategy's raises and some further ones, and may
// deviate in some rounds only.
func (r *Report) raises() (text string) {
	if r.actions() != "" {
		text = ", with the raises " + r.actions()
	}
	if r.further() != "" {
		text += " and " + r.further()
	}
	if r.Rounds != "" {
		text += ", deviating in " + r.Rounds + " only"
	}
	return text
}

// lines returns what responses win by line in the unit of the winnings.
func (r *Report) lines(won []bestresponse.Line) (lines []bestresponse.Line) {
	_, chip := r.Data()
	for _, l := range won {
		lines = append(lines, bestresponse.Line{Betting: l.Betting, Won: chip * l.Won, Interval95: chip * l.Interval95})
	}
	return lines
}

// writeLines writes what responses win by line.
func (r *Report) writeLines(won []bestresponse.Line) {
	if len(won) > 0 {
		fmt.Fprintln(r.Out, "of which after this betting in the first round")
	}
	for _, l := range won {
		text := r.Amount(l.Won)
		if l.Interval95 > 0 {
			text = r.Within(l.Won, l.Interval95)
		}
		fmt.Fprintf(r.Out, "  %s  %s\n", l.Betting, text)
	}
}

// WriteExact writes what best responses in the game itself win, and what of it by line.
func (r *Report) WriteExact(best [2]float64, lines []bestresponse.Line) error {
	exploitability := (best[0] + best[1]) / 2
	if r.JSON {
		unit, chip := r.Data()
		return r.encode(struct {
			Game           string     `json:"game"`
			Strategy       string     `json:"strategy"`
			BestResponse   [2]float64 `json:"best_response"`
			Exploitability float64    `json:"exploitability"`
			Real           bool       `json:"real"`
			Unit           string     `json:"unit"`
			Actions        string     `json:"actions,omitempty"`
			Further        string     `json:"response_actions,omitempty"`
			Rounds         string     `json:"rounds,omitempty"`

			Lines []bestresponse.Line `json:"lines,omitempty"`
		}{r.Game.Name, r.Name, [2]float64{chip * best[0], chip * best[1]}, chip * exploitability, true, unit,
			r.actions(), r.further(), r.Rounds, r.lines(lines)})
	}
	fmt.Fprintf(r.Out, "%s: %s, answered exactly in the game itself%s\nposition  best response wins\n",
		r.Game.Name, r.Name, r.raises())
	for p, x := range best {
		fmt.Fprintf(r.Out, "%8d  %s\n", p+1, r.Amount(x))
	}
	_, err := fmt.Fprintf(r.Out, "exploitability  %s\n", r.Amount(exploitability))
	r.writeLines(lines)
	return err
}

// boardsBound is a lower bound of exploitability from boards, as JSON.
type boardsBound struct {
	Game       string     `json:"game"`
	Strategy   string     `json:"strategy"`
	Response   [2]float64 `json:"response"`
	LowerBound float64    `json:"lower_bound"`
	Interval95 float64    `json:"interval95"`
	Boards     int        `json:"boards"`
	Seed       uint64     `json:"seed"`
	Real       bool       `json:"real,omitempty"`
	Sampled    bool       `json:"sampled,omitempty"`
	Unit       string     `json:"unit"`
	Actions    string     `json:"actions,omitempty"`
	Further    string     `json:"response_actions,omitempty"`
	Rounds     string     `json:"rounds,omitempty"`

	Lines []bestresponse.Line `json:"lines,omitempty"`
}

// WriteSampled writes a lower bound from n boards drawn at random, and what of it was won by line.
func (r *Report) WriteSampled(s Sampling, n int, found bestresponse.Bound, lines []bestresponse.Line) error {
	b := boardsBound{Boards: n, Seed: s.Seed, Real: true, Sampled: true, Rounds: r.Rounds, Lines: r.lines(lines)}
	err := r.writeBoards(b, found, "answered in the game itself", "in the game itself")
	if !r.JSON {
		r.writeLines(lines)
	}
	return err
}

// writeBoards writes a lower bound from boards, of which b says how they were drawn. How and where are parts of
// sentences.
func (r *Report) writeBoards(b boardsBound, found bestresponse.Bound, how, where string) error {
	x := found.Mean
	if r.JSON {
		unit, chip := r.Data()
		b.Game, b.Strategy, b.Unit, b.Actions, b.Further = r.Game.Name, r.Name, unit, r.actions(), r.further()
		b.Response = [2]float64{chip * found.Responses[0].Value, chip * found.Responses[1].Value}
		b.LowerBound, b.Interval95 = chip*x.Value, chip*x.Interval95
		return r.encode(b)
	}
	fmt.Fprintf(r.Out, "%s: %s, %s on %d boards drawn at random%s\n", r.Game.Name, r.Name, how, b.Boards, r.raises())
	fmt.Fprintln(r.Out, "position  a response (95% interval)")
	for p, x := range found.Responses {
		fmt.Fprintf(r.Out, "%8d  %s\n", p+1, r.Within(x.Value, x.Interval95))
	}
	return r.writeBound(r.AtLeast(x.Value, x.Interval95) + " of exploitability " + where)
}

// WriteLearned writes a lower bound from learned responses, for more than two players one of NashConv.
func (r *Report) WriteLearned(l Learned, a *train.Answer) error {
	best, what := a.Best, "exploitability"
	if n := float64(r.Game.NumPlayers); n > 2 {
		best.Value, best.Interval, what = n*best.Value, n*best.Interval, "NashConv"
	}
	if r.JSON {
		unit, chip := r.Data()
		for i := range a.Learned {
			a.Learned[i].Value *= chip
			a.Learned[i].Interval *= chip
		}
		return r.encode(struct {
			Game       string           `json:"game"`
			Strategy   string           `json:"strategy"`
			Measure    string           `json:"measure"`
			LowerBound float64          `json:"lower_bound"`
			Interval95 float64          `json:"interval95"`
			Responses  []train.Response `json:"responses"`
			Seed       uint64           `json:"seed"`
			Unit       string           `json:"unit"`
			Actions    string           `json:"actions,omitempty"`
		}{r.Game.Name, r.Name, what, chip * best.Value, chip * best.Interval, a.Learned, l.Seed, unit,
			r.Policy.Meta().Actions})
	}
	fmt.Fprintf(r.Out, "%s: %s, answered by responses of %s\n", r.Game.Name, r.Name,
		usererr.Iterations(best.Iterations))
	fmt.Fprintln(r.Out, "response  wins in the mean over the positions")
	for i, x := range a.Learned {
		fmt.Fprintf(r.Out, "%8d  %s\n", i+1, r.Within(x.Value, x.Interval))
	}
	return r.writeBound(fmt.Sprintf("%s of %s in the abstract game: won by the best one on other deals",
		r.AtLeast(best.Value, best.Interval), what))
}

// WriteLocal writes what a local best response has won. It may do more than call in these rounds, "" for all, and the
// subject solves rounds from this one on.
func (r *Report) WriteLocal(l LBR, rounds, from string, won *Winnings) error {
	chips, estimated := &won.Won, &won.Estimated
	if r.JSON {
		unit, chip := r.Data()
		return r.encode(struct {
			Game              string          `json:"game"`
			Strategy          string          `json:"strategy"`
			Actions           string          `json:"actions"`
			Rounds            string          `json:"rounds,omitempty"`
			Solve             uint64          `json:"solve,omitempty"`
			SolveFrom         string          `json:"solve_from,omitempty"`
			Deals             int             `json:"deals"`
			Seed              uint64          `json:"seed"`
			Won               float64         `json:"won"`
			WonInterval       stats.HalfWidth `json:"won_interval95"`
			Estimated         float64         `json:"estimated"`
			EstimatedInterval stats.HalfWidth `json:"estimated_interval95"`
			Unit              string          `json:"unit"`
		}{r.Game.Name, r.Name, l.Menu, rounds, l.Resolving.Iterations, from, won.Deals(), l.Seed,
			chip * chips.Mean(), stats.HalfWidth(chip * chips.Interval95()),
			chip * estimated.Mean(), stats.HalfWidth(chip * estimated.Interval95()), unit})
	}
	fmt.Fprintf(r.Out, "%s: %s, answered by a local best response (%s, %s) in %s\n",
		r.Game.Name, r.Name, l.Menu, cmp.Or(rounds, "all rounds"), usererr.Counted(won.Deals(), "deal", "deals"))
	fmt.Fprintf(r.Out, "won          %s\nestimated    %s\n", r.Within(chips.Mean(), chips.Interval95()),
		r.Within(estimated.Mean(), estimated.Interval95()))
	return r.writeBound(r.AtLeast(estimated.Mean(), estimated.Interval95()) + " of exploitability in the game itself")
}

// writeBound writes the line of a lower bound.
func (r *Report) writeBound(text string) error {
	_, err := fmt.Fprintf(r.Out, "lower bound  %s\n", text)
	return err
}
