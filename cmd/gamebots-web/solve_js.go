package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"syscall/js"

	"gamebots/bots/registry"
	"gamebots/bots/spots"
	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
)

// solverMemory is the most bytes that a solver takes: WebAssembly has four GiB.
const solverMemory = 2 << 30

// solve solves a river after a message "solve", and shows decisions of the solution after each "show".
func solve() error {
	var s *spot.Solution
	for m := range listen() {
		err := func() (err error) {
			if m.Get("kind").String() == "solve" {
				s, err = solution(m.Get("settings"))
				return err
			}
			if s == nil {
				return errors.New("nothing is solved yet")
			}
			node, err := spots.ForPage(s, m.Get("line").String())
			if err != nil {
				return err
			}
			text, err := json.Marshal(node)
			tell("decision", map[string]any{"node": string(text)})
			return err
		}()
		if err != nil {
			hint := usererr.Hint(err)
			tell("refused", map[string]any{"text": err.Error(), "hint": hint})
		}
	}
	return nil
}

// solution solves the spot of some settings, a list of texts such as spot.pot=100.
func solution(settings js.Value) (*spot.Solution, error) {
	var overrides []string
	for i := range settings.Length() {
		overrides = append(overrides, settings.Index(i).String())
	}
	var start *spot.Spot
	config, err := configs.LoadSpot("", overrides, func(c *configs.Spot) (err error) {
		start, err = registry.NewSpot(c)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(start.Board) < 5 {
		return nil, &configs.Error{Key: "spot.board", Msg: "this page solves rivers: give five cards"}
	}
	algorithm, _ := cfr.AlgorithmByName(config.Solve.Algorithm)
	solver, err := spot.New(start, spot.Options{
		Algorithm: algorithm, Threads: runtime.GOMAXPROCS(0), Memory: solverMemory,
	})
	if err != nil {
		return nil, err
	}
	limits := spot.Limits{
		Iterations: config.Solve.Iterations, Exploitability: config.Solve.Target / 100 * float64(start.Pot),
	}
	percent := func(exploitability float64) string {
		return fmt.Sprintf("%.2g%% of the pot after %d iterations",
			100*exploitability/float64(start.Pot), solver.Iterations())
	}
	found := solver.Solve(context.Background(), limits, func(exploitability float64) {
		// It falls about as the square of the iterations rises.
		part := max(float64(solver.Iterations())/float64(limits.Iterations),
			math.Sqrt(limits.Exploitability/exploitability))
		tell("progress", map[string]any{"phase": "solving", "part": min(1, part), "text": percent(exploitability)})
	})
	s := solver.Solution()
	e := s.Evaluate()
	if err := errors.Join(solver.Err(), s.Err()); err != nil {
		return nil, err
	}
	tell("solved", map[string]any{
		"exploitability": percent(found), "values": []any{e.Values[0], e.Values[1]}, "pot": start.Pot,
	})
	return s, nil
}
