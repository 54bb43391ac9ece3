package spotstudy

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/configs"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr"
	"gamebots/solvers/policy/browse"
	"gamebots/solvers/resolve/spot"
)

// A Study solves spots of no-limit hold'em for a page, and keeps the last solutions:
//
//	/spots/        lists the shipped spots with their files
//	/spots/solve?spot.board=Ks9d7h4c2s&spot.pot=200&…&line=x
//	/spots/drill?spot.board=Ks9d7h4c2s&…&hand=7&actions=b50+c
//	/spots/file?spot.board=Ks9d7h4c2s&…  is the file of [spot.Solver.Save]
//	/spots/open  takes such a file, by POST, and returns the settings of its solution for the others
//
// The parameters are settings of [configs.Spot], and a line as [spot.Solution.At] reads it. A spot is solved until its
// target or its iterations are reached, or the request's context is done. What was found until then is kept, and
// further=1 goes on from there. A drill is a hand that a person plays against the solution. Requests are answered one
// at a time. While one waits, it is sent a line of JSON with part and text, as [Progress] has them, each second.
type Study struct {
	Memory int64 // the most bytes that the solvers of all solutions take
	Flops  bool  // whether flops are solved, too
	// Device, if not nil, chooses where to solve, see [spot.Options].
	Device func(*spot.Solver) (spot.Device, error)

	mu   sync.Mutex
	kept []*solvedSpot // the one that was used last comes last
}

// Progress is told now and then which part of solving is done, from 0 to 1, and what is reached.
type Progress func(part float64, text string)

// solvedSpot is a spot with its solution.
type solvedSpot struct {
	settings       string
	solve          configs.SpotSolve
	solver         *spot.Solver // nil if the solution comes from a file
	solution       *spot.Solution
	nodes          map[string]*spot.Node // points that were asked for, by line
	bytes          int64                 // memory that it takes
	closer         io.Closer
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
	Short          bool         `json:"short"`          // it ended before the target was reached
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

// ServeHTTP answers a request with JSON, or a file. The status is 200 once a line about the progress was sent. Who
// serves bounds what a request has in its body.
func (s *Study) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	file, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has left
	}
	last, told := time.Now(), false
	status, body := s.Answer(r.Context(), r.URL, file, func(part float64, text string) {
		if time.Since(last) > time.Second {
			last, told = time.Now(), true
			_ = json.NewEncoder(w).Encode(map[string]any{"part": part, "text": text}) // as below
			_ = http.NewResponseController(w).Flush()
		}
	})
	if !told {
		w.WriteHeader(status)
	}
	_, _ = w.Write(body) // the client has left if it fails
}

// Answer returns the status and the JSON, or file, with which the request for an address, which may bring a file, is
// answered.
func (s *Study) Answer(
	ctx context.Context, address *url.URL, file []byte, progress Progress,
) (status int, body []byte) {
	var answer any
	var err error
	status = http.StatusOK
	switch address.Path {
	case "/spots/":
		answer = s.shipped()
	case "/spots/solve":
		answer, err = s.study(ctx, address.Query(), progress, (*solvedSpot).point)
	case "/spots/drill":
		answer, err = s.study(ctx, address.Query(), progress, (*solvedSpot).drill)
	case "/spots/file": // with nothing before it
		answer, err = s.study(ctx, address.Query(), func(float64, string) {}, (*solvedSpot).file)
	case "/spots/open":
		answer, err = s.openFile(file)
	default:
		status, answer = http.StatusNotFound, refusedSpot{Text: "no such page"}
	}
	if saved, ok := answer.([]byte); ok && err == nil {
		return status, saved
	}
	if err != nil {
		refused := refusedSpot{Text: err.Error(), Hint: usererr.Hint(err)}
		if e := (*configs.Error)(nil); errors.As(err, &e) {
			without := configs.Error{Msg: e.Msg, Err: e.Err}
			refused.Key, refused.Text = e.Key, strings.TrimPrefix(without.Error(), ": ")
		}
		status, answer = http.StatusUnprocessableEntity, refused
	}
	body, _ = json.Marshal(answer) // it cannot fail: all numbers of a solution are finite
	return status, body
}

// shipped returns the spots that come with the program and are solved here.
func (s *Study) shipped() (all []shippedSpot) {
	for _, name := range configs.Spots() {
		c, err := configs.LoadSpot(name, nil, func(*configs.Spot) error { return nil })
		if board, _ := spot.ParseBoard(c.Spot.Board); err == nil && (s.Flops || len(board) > 3) {
			all = append(all, shippedSpot{name, configs.SpotText(name)})
		}
	}
	return all
}

// study solves a spot, unless its solution is kept, and returns a point of it.
func (s *Study) study(
	ctx context.Context, query url.Values, progress Progress,
	answer func(x *solvedSpot, ctx context.Context, query url.Values) (any, error),
) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, err := s.solved(ctx, query, progress)
	if err != nil {
		return nil, err
	}
	x.solution.Until(ctx)
	return answer(x, ctx, query)
}

// point returns the point that the line of a query leads to.
func (x *solvedSpot) point(_ context.Context, query url.Values) (any, error) {
	at := func(line string) (*spot.Node, error) { return x.at(context.Background(), line) } // also if the request ends
	node, err := ForPage(x.solution, at, query.Get("line"))
	if err != nil {
		return nil, err
	}
	return &studied{x.exploitability, x.short, x.evaluation.Values, x.solution.Spot().Pot, node}, nil
}

// solved returns the solution of the spot of a query.
func (s *Study) solved(ctx context.Context, query url.Values, progress Progress) (_ *solvedSpot, err error) {
	settings := maps.Clone(query)
	for _, key := range []string{"line", "further", "hand", "actions"} {
		settings.Del(key)
	}
	text := settings.Encode()
	x := s.take(text)
	for _, other := range s.kept[:max(0, len(s.kept)-mostWalked)] {
		clear(other.nodes)
	}
	further := x == nil || x.short && query.Get("further") != ""
	if x == nil {
		if x, err = s.open(text, settings); err != nil {
			return nil, err
		}
	}
	if further {
		if err := x.improve(ctx, progress); err != nil {
			return nil, errors.Join(err, x.closer.Close())
		}
	}
	s.kept = append(s.kept, x)
	return x, nil
}

// take takes the solution of some settings out of those that are kept, nil if there is none.
func (s *Study) take(settings string) (x *solvedSpot) {
	if i := slices.IndexFunc(s.kept, func(x *solvedSpot) bool { return x.settings == settings }); i >= 0 {
		x = s.kept[i]
		s.kept = slices.Delete(s.kept, i, i+1)
	}
	return x
}

// open returns the spot of some settings, before its first iteration.
func (s *Study) open(text string, settings url.Values) (*solvedSpot, error) {
	if settings.Has(fileKey) {
		return nil, errors.New("the file of this solution is not here any more: open it again")
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
	if len(start.Board) < 4 && !s.Flops {
		return nil, &configs.Error{Key: "spot.board", Msg: "give four or five cards: flops take gamebots serve, " +
			"or gamebots solve poker with a file of this spot"}
	}
	algorithm, ok := cfr.AlgorithmByName(config.Solve.Algorithm)
	if !ok || !slices.Contains(spot.Algorithms(), algorithm.Name) {
		return nil, &configs.Error{Key: "solve.algorithm", Msg: config.Solve.Algorithm + ": no such algorithm"}
	}
	algorithm.Quantized = config.Solve.Bits == 16
	solver, err := s.newSolver(start, spot.Options{
		Algorithm: algorithm, Threads: max(1, runtime.GOMAXPROCS(0)/2), Memory: s.Memory, Device: s.Device,
		Nodes: mostTree,
	})
	if errors.Is(err, spot.ErrTooManyNodes) || errors.As(err, new(*spot.MemoryError)) {
		err = usererr.WithHint(&configs.Error{Key: "bets.bets", Err: err},
			"one size of bets, at most two bets and raises on a street, or narrower ranges make it smaller")
	}
	if err != nil {
		return nil, err
	}
	return &solvedSpot{
		settings: text, solve: config.Solve, solver: solver, solution: solver.Solution(), bytes: solver.Bytes(),
		closer: solver,
	}, nil
}

// mostTree is the most nodes of a tree, of which more would take seconds before they are found to be too many.
const mostTree = 1 << 20

// newSolver returns a solver, for which the solutions make room that were not used for the longest time. Its entries
// have 16 bits if there is no room for others.
func (s *Study) newSolver(start *spot.Spot, o spot.Options) (*spot.Solver, error) {
	need, err := spot.Measure(start, o)
	if err == nil && need > s.Memory && !o.Algorithm.Quantized {
		o.Algorithm.Quantized = true
		need, err = spot.Measure(start, o)
	}
	if err != nil {
		return nil, err
	}
	if err := s.makeRoom(need); err != nil {
		return nil, err
	}
	solver, err := spot.New(start, o)
	if errors.Is(err, spot.ErrDeviceMemory) {
		o.Device = nil
		solver, err = spot.New(start, o)
	}
	return solver, err
}

// Beside its solver a solution takes memory for equities, and for points that were asked for: of small spots that is
// more. So mostKept solutions are kept, and points of the last mostWalked and the one that is asked for.
const mostKept, mostWalked = 32, 3

// makeRoom forgets solutions until there is so much memory left, and room for one more.
func (s *Study) makeRoom(need int64) (err error) {
	for _, x := range s.kept {
		need += x.bytes
	}
	for ; len(s.kept) > 0 && (need > s.Memory || len(s.kept) >= mostKept); s.kept = s.kept[1:] {
		need -= s.kept[0].bytes
		err = errors.Join(err, s.kept[0].closer.Close())
		s.kept[0] = nil
	}
	return err
}

// improve solves the spot, or goes on from what was found before.
func (x *solvedSpot) improve(ctx context.Context, progress Progress) error {
	c := x.solve
	pot := x.solution.Spot().Pot
	limits := spot.Limits{
		Iterations: x.solver.Iterations() + c.Iterations, Exploitability: c.Target / 100 * float64(pot), Abort: ctx,
	}
	part, text, last := 0.0, "", time.Now() // until exploitability is known
	limits.Each = func() {
		if time.Since(last) > time.Second/5 { // iterations of a river take less than a message
			last = time.Now()
			progress(min(1, part), text)
		}
	}
	x.solver.Solve(ctx, limits, func(exploitability float64) {
		// It falls about as the square of the iterations rises.
		part = max(float64(x.solver.Iterations())/float64(c.Iterations),
			math.Sqrt(limits.Exploitability/exploitability))
		text = words(exploitability, pot, x.solver.Iterations())
	})
	x.evaluation, x.nodes = x.solution.Evaluate(), map[string]*spot.Node{}
	found := x.evaluation.Exploitability()
	x.exploitability, x.short = words(found, pot, x.solver.Iterations()), found > limits.Exploitability
	return x.solver.Err()
}
