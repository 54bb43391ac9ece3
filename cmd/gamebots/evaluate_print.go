package main

import (
	"encoding/json"
	"fmt"
	"io"

	"gamebots/bots/arena/tournament"
	"gamebots/bots/judge"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/evaluate/bestresponse"
)

// printEvaluation prints values and best responses in the abstract game of a strategy.
func printEvaluation(w io.Writer, s *subject, e cfr.Evaluation) error {
	name, x := "exploitability", e.Exploitability()
	if s.Game.NumPlayers > 2 {
		name, x = "NashConv", e.NashConv()
	}
	_, chip := s.Data()
	fmt.Fprintf(w, "%s\nposition  value         best response\n", s.Game.Name)
	for p := range e.Value {
		fmt.Fprintf(w, "%8d  %-12.6g  %.6g\n", p+1, chip*e.Value[p], chip*e.BestResponse[p])
	}
	_, err := fmt.Fprintf(w, "%s  %s\n", name, s.Amount(x)+betting.AbstractGame(s.Policy.Meta().Actions))
	return err
}

// printEvaluationJSON is printEvaluation for programs.
func printEvaluationJSON(w io.Writer, s *subject, e cfr.Evaluation) error {
	unit, chip := s.Data()
	scaled(e.Value, chip)
	scaled(e.BestResponse, chip)
	actions := s.Policy.Meta().Actions
	if s.Game.NumPlayers > 2 {
		return json.NewEncoder(w).Encode(struct {
			Game         string    `json:"game"`
			Values       []float64 `json:"values"`
			BestResponse []float64 `json:"best_response"`
			NashConv     float64   `json:"nash_conv"`
			Unit         string    `json:"unit"`
			Actions      string    `json:"actions,omitempty"`
		}{s.Game.Name, e.Value, e.BestResponse, e.NashConv(), unit, actions})
	}
	return json.NewEncoder(w).Encode(struct {
		Game           string    `json:"game"`
		Value          float64   `json:"value"`
		BestResponse   []float64 `json:"best_response"`
		Exploitability float64   `json:"exploitability"`
		Unit           string    `json:"unit"`
		Actions        string    `json:"actions,omitempty"`
	}{s.Game.Name, e.Value[0], e.BestResponse, e.Exploitability(), unit, actions})
}

// scaled changes values in chips to those of a unit.
func scaled(values []float64, chip float64) {
	for i := range values {
		values[i] *= chip
	}
}

// printExact prints what best responses in the game itself win.
func printExact(w io.Writer, s *subject, best [2]float64, asJSON bool) error {
	exploitability := (best[0] + best[1]) / 2
	if asJSON {
		unit, chip := s.Data()
		return json.NewEncoder(w).Encode(struct {
			Game           string     `json:"game"`
			Strategy       string     `json:"strategy"`
			BestResponse   [2]float64 `json:"best_response"`
			Exploitability float64    `json:"exploitability"`
			Real           bool       `json:"real"`
			Unit           string     `json:"unit"`
		}{s.Game.Name, s.Name, [2]float64{chip * best[0], chip * best[1]}, chip * exploitability, true, unit})
	}
	fmt.Fprintf(w, "%s: %s, answered exactly in the game itself\nposition  best response\n", s.Game.Name, s.Name)
	for p, x := range best {
		fmt.Fprintf(w, "%8d  %s\n", p+1, s.Amount(x))
	}
	_, err := fmt.Fprintf(w, "exploitability  %s\n", s.Amount(exploitability))
	return err
}

// writeSampled prints a lower bound from boards drawn at random.
func (b *bound) writeSampled(w io.Writer, s *subject, boards int, found bestresponse.Bound, asJSON bool) error {
	x := found.Mean
	if asJSON {
		unit, chip := s.Data()
		return json.NewEncoder(w).Encode(struct {
			Game       string     `json:"game"`
			Strategy   string     `json:"strategy"`
			Response   [2]float64 `json:"response"`
			LowerBound float64    `json:"lower_bound"`
			Interval95 float64    `json:"interval95"`
			Boards     int        `json:"boards"`
			Seed       uint64     `json:"seed"`
			Real       bool       `json:"real"`
			Sampled    bool       `json:"sampled"`
			Unit       string     `json:"unit"`
		}{s.Game.Name, s.Name, [2]float64{chip * found.Responses[0].Value, chip * found.Responses[1].Value},
			chip * x.Value, chip * x.Interval95, boards, b.sampling.Seed, true, true, unit})
	}
	fmt.Fprintf(w, "%s: %s, answered in the game itself on %d boards drawn at random\n", s.Game.Name, s.Name, boards)
	fmt.Fprintln(w, "position  a response (95% interval)")
	for p, x := range found.Responses {
		fmt.Fprintf(w, "%8d  %s\n", p+1, s.Within(x.Value, x.Interval95))
	}
	_, err := fmt.Fprintf(w, "lower bound  %s of exploitability in the game itself\n", s.AtLeast(x.Value, x.Interval95))
	return err
}

// writeLearned prints a lower bound from learned responses, for more than two players one of NashConv.
func (b *bound) writeLearned(w io.Writer, s *subject, a *train.Answer, asJSON bool) error {
	best, what := a.Best, "exploitability"
	if n := float64(s.Game.NumPlayers); n > 2 {
		best.Value, best.Interval, what = n*best.Value, n*best.Interval, "NashConv"
	}
	if asJSON {
		unit, chip := s.Data()
		for i := range a.Learned {
			a.Learned[i].Value *= chip
			a.Learned[i].Interval *= chip
		}
		return json.NewEncoder(w).Encode(struct {
			Game       string           `json:"game"`
			Strategy   string           `json:"strategy"`
			Measure    string           `json:"measure"`
			LowerBound float64          `json:"lower_bound"`
			Interval95 float64          `json:"interval95"`
			Responses  []train.Response `json:"responses"`
			Seed       uint64           `json:"seed"`
			Unit       string           `json:"unit"`
			Actions    string           `json:"actions,omitempty"`
		}{s.Game.Name, s.Name, what, chip * best.Value, chip * best.Interval, a.Learned, b.learned.Seed, unit,
			s.Policy.Meta().Actions})
	}
	fmt.Fprintf(w, "%s: %s, answered by responses of %d iterations\n", s.Game.Name, s.Name, best.Iterations)
	fmt.Fprintln(w, "response  wins in the mean over the positions")
	for i, r := range a.Learned {
		fmt.Fprintf(w, "%8d  %s\n", i+1, s.Within(r.Value, r.Interval))
	}
	_, err := fmt.Fprintf(w, "lower bound  %s of %s in the abstract game: won by the best one on other deals\n",
		s.AtLeast(best.Value, best.Interval), what)
	return err
}

// writeLocal prints what a local best response has won.
func (b *bound) writeLocal(w io.Writer, s *subject, won *judge.Winnings, asJSON bool) error {
	chips, estimated := &won.Won, &won.Estimated
	if asJSON {
		unit, chip := s.Data()
		return json.NewEncoder(w).Encode(struct {
			Game              string               `json:"game"`
			Strategy          string               `json:"strategy"`
			Actions           string               `json:"actions"`
			Rounds            string               `json:"rounds,omitempty"`
			Solve             uint64               `json:"solve,omitempty"`
			SolveFrom         string               `json:"solve_from,omitempty"`
			Deals             int                  `json:"deals"`
			Seed              uint64               `json:"seed"`
			Won               float64              `json:"won"`
			WonInterval       tournament.HalfWidth `json:"won_interval95"`
			Estimated         float64              `json:"estimated"`
			EstimatedInterval tournament.HalfWidth `json:"estimated_interval95"`
			Unit              string               `json:"unit"`
		}{s.Game.Name, s.Name, b.local.Menu, b.rounds, b.local.Resolving.Iterations, b.from, won.Deals(), b.local.Seed,
			chip * chips.Mean(), tournament.HalfWidth(chip * chips.Interval95()),
			chip * estimated.Mean(), tournament.HalfWidth(chip * estimated.Interval95()), unit})
	}
	rounds := "all rounds"
	if b.rounds != "" {
		rounds = b.rounds
	}
	fmt.Fprintf(w, "%s: %s, answered by a local best response (%s, %s) in %s\n",
		s.Game.Name, s.Name, b.local.Menu, rounds, usererr.Counted(won.Deals(), "deal", "deals"))
	fmt.Fprintf(w, "won          %s\nestimated    %s\n", s.Within(chips.Mean(), chips.Interval95()),
		s.Within(estimated.Mean(), estimated.Interval95()))
	_, err := fmt.Fprintf(w, "lower bound  %s of exploitability in the game itself\n",
		s.AtLeast(estimated.Mean(), estimated.Interval95()))
	return err
}
