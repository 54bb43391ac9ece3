package spots

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"

	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/resolve/spot"
)

// A Study solves turns and rivers of no-limit hold'em for a page, and keeps the last solutions:
//
//	/spots/        lists the shipped spots with their files
//	/spots/solve?spot.board=Ks9d7h4c2s&spot.pot=200&…&line=x
//
// The parameters are settings of [configs.Spot], and a line as [spot.Solution.At] reads it. A spot is solved until its
// target, its iterations or the deadline of the request's context is reached. Requests are answered one at a time.
type Study struct {
	Memory int64 // the most bytes that the solvers of all solutions take
	// Progress is told now and then which part of solving is done, from 0 to 1, and what is reached. It may be nil.
	Progress func(part float64, text string)

	mu   sync.Mutex
	kept []*solvedSpot // the one that was used last comes last
}

// solvedSpot is a spot with its solution.
type solvedSpot struct {
	settings       string
	solver         *spot.Solver
	evaluation     spot.Evaluation
	exploitability string
	short          bool // the target is not reached
}

// shippedSpot is a spot that comes with the program, with the text of its file.
type shippedSpot struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// studied is the answer to a request: a point of a solution.
type studied struct {
	Exploitability string       `json:"exploitability"` // words, with its unit
	Short          bool         `json:"short"`          // time or iterations were over before the target was reached
	Values         [2]float64   `json:"values"`         // what the players win of the pot, in chips
	Pot            int          `json:"pot"`
	Node           *browse.Node `json:"node"`
}

// refusedSpot is the answer where there is no such spot or line.
type refusedSpot struct {
	Key  string `json:"key"` // setting at fault, or ""
	Text string `json:"text"`
	Hint string `json:"hint"`
}

// ServeHTTP answers a request with JSON.
func (s *Study) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, body := s.Answer(r.Context(), r.URL)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client has left if it fails
}

// Answer returns the status and the JSON with which the request for an address is answered.
func (s *Study) Answer(ctx context.Context, address *url.URL) (status int, body []byte) {
	var answer any
	var err error
	status = http.StatusOK
	switch address.Path {
	case "/spots/":
		answer = shippedSpots()
	case "/spots/solve":
		answer, err = s.study(ctx, address.Query())
	default:
		status, answer = http.StatusNotFound, refusedSpot{Text: "no such page"}
	}
	if err != nil {
		refused := refusedSpot{Text: err.Error(), Hint: usererr.Hint(err)}
		if e := (*configs.Error)(nil); errors.As(err, &e) {
			without := configs.Error{Msg: e.Msg, Err: e.Err}
			refused.Key, refused.Text = e.Key, strings.TrimPrefix(without.Error(), ": ")
		}
		status, answer = http.StatusUnprocessableEntity, refused
	}
	body, err = json.Marshal(answer)
	if err != nil {
		panic(err) // all numbers of a solution are finite
	}
	return status, body
}

// shippedSpots returns the turns and rivers that come with the program.
func shippedSpots() (all []shippedSpot) {
	for _, name := range configs.Spots() {
		c, err := configs.LoadSpot(name, nil, func(*configs.Spot) error { return nil })
		if board, _ := spot.ParseBoard(c.Spot.Board); err == nil && len(board) > 3 {
			all = append(all, shippedSpot{name, configs.SpotText(name)})
		}
	}
	return all
}

// study solves a spot, unless its solution is kept, and returns a point of it.
func (s *Study) study(ctx context.Context, query url.Values) (*studied, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := query.Get("line")
	query.Del("line")
	x, err := s.solution(ctx, query)
	if err != nil {
		return nil, err
	}
	node, err := ForPage(x.solver.Solution(), line)
	if err != nil {
		return nil, err
	}
	pot := x.solver.Solution().Spot().Pot
	return &studied{x.exploitability, x.short, x.evaluation.Values, pot, node}, nil
}

// solution returns the solution of the spot of some settings.
func (s *Study) solution(ctx context.Context, settings url.Values) (*solvedSpot, error) {
	text := settings.Encode()
	if i := slices.IndexFunc(s.kept, func(x *solvedSpot) bool { return x.settings == text }); i >= 0 {
		x := s.kept[i]
		s.kept = append(slices.Delete(s.kept, i, i+1), x)
		return x, nil
	}
	var overrides []string
	for key := range settings {
		overrides = append(overrides, key+"="+strings.TrimSpace(settings.Get(key)))
	}
	slices.Sort(overrides) // so that of several errors it is always the same one
	var start *spot.Spot
	config, err := configs.LoadSpot("", overrides, func(c *configs.Spot) (err error) {
		start, err = FromSettings(c)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(start.Board) < 4 {
		return nil, &configs.Error{Key: "spot.board", Msg: "give four or five cards: flops take gamebots solve poker"}
	}
	algorithm, ok := cfr.AlgorithmByName(config.Solve.Algorithm)
	if !ok || !slices.Contains(spot.Algorithms(), algorithm.Name) {
		return nil, &configs.Error{Key: "solve.algorithm", Msg: config.Solve.Algorithm + ": no such algorithm"}
	}
	algorithm.Quantized = config.Solve.Bits == 16
	solver, err := s.newSolver(start, spot.Options{
		Algorithm: algorithm, Threads: max(1, runtime.GOMAXPROCS(0)/2), Memory: s.Memory,
	})
	if err != nil {
		return nil, err
	}
	x := &solvedSpot{settings: text, solver: solver}
	if err := x.solve(ctx, config.Solve, s.Progress); err != nil {
		return nil, err
	}
	s.kept = append(s.kept, x)
	return x, nil
}

// newSolver returns a solver, for which the solutions make room that were not used for the longest time.
func (s *Study) newSolver(start *spot.Spot, o spot.Options) (*spot.Solver, error) {
	need, err := spot.Measure(start, o)
	if err != nil {
		return nil, err
	}
	for _, x := range s.kept {
		need += x.solver.Bytes()
	}
	for ; len(s.kept) > 0 && need > s.Memory; s.kept = s.kept[1:] {
		need -= s.kept[0].solver.Bytes()
		s.kept[0] = nil
	}
	return spot.New(start, o)
}

// solve solves the spot. The error is that of a context that has been cancelled; after its deadline the solution is
// what was found until then.
func (x *solvedSpot) solve(ctx context.Context, c configs.SpotSolve, progress func(float64, string)) error {
	pot := float64(x.solver.Solution().Spot().Pot)
	words := func(exploitability float64) string {
		return fmt.Sprintf("%.2g%% of the pot after %d iterations", 100*exploitability/pot, x.solver.Iterations())
	}
	limits := spot.Limits{Iterations: c.Iterations, Exploitability: c.Target / 100 * pot, Abort: ctx}
	x.solver.Solve(ctx, limits, func(exploitability float64) {
		if progress != nil {
			// It falls about as the square of the iterations rises.
			part := max(float64(x.solver.Iterations())/float64(c.Iterations),
				math.Sqrt(limits.Exploitability/exploitability))
			progress(min(1, part), words(exploitability))
		}
	})
	if err := ctx.Err(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	x.evaluation = x.solver.Solution().Evaluate()
	found := x.evaluation.Exploitability()
	x.exploitability, x.short = words(found), found > limits.Exploitability
	return x.solver.Err()
}
