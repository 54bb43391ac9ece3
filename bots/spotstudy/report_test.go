package spotstudy

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/resolve/spot"
)

// solveBluffs returns a shipped spot that is solved, with some settings changed.
func solveBluffs(t *testing.T, settings ...string) *spot.Solver {
	t.Helper()
	var s *spot.Spot
	if _, err := configs.LoadSpot("river-bluffs", settings,
		func(c *configs.Spot) (err error) { s, err = FromSettings(c); return err }); err != nil {
		t.Fatal(err)
	}
	solver, err := spot.New(s, spot.Options{Algorithm: cfr.Algorithms[0], Threads: 1, Memory: 1 << 24})
	if err != nil {
		t.Fatal(err)
	}
	solver.Solve(t.Context(), spot.Limits{Iterations: 200}, func(float64) {})
	return solver
}

// solvedBluffs returns what was found in the spot, at two points.
func solvedBluffs(t *testing.T) *Report {
	t.Helper()
	solver := solveBluffs(t)
	r, err := NewReport(solver.Solution(), solver.Iterations(), []string{"", "b100"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestText writes how often a point is reached, and no zero with a sign.
func TestText(t *testing.T) {
	r := solvedBluffs(t)
	hand := &r.Nodes[0].Hands[0][0]
	hand.Value = -0.0001
	for reached, want := range map[float64]string{
		0.8:  "\nthe point is reached in 80% of the hands\n",
		1e-5: "in 0.001% of the hands, so that what is shown is hardly solved\n",
		0:    "\nthe point is never reached, so that what is shown is not solved\n",
	} {
		r.Nodes[1].Reached = reached
		var text strings.Builder
		if err := r.WriteText(&text, false, true); err != nil {
			t.Fatal(err)
		}
		if got := text.String(); strings.Count(got, "the point is") != 1 || !strings.Contains(got, want) ||
			strings.Contains(got, "-0.00 ") {
			t.Errorf("%s\nwithout %s", got, want)
		}
	}
}

// Actions are named as poker players name them.
func TestActionName(t *testing.T) {
	node := &spot.Node{Player: 1, Put: [2]int{40, 0}, AllIn: 500}
	short := &spot.Node{Player: 0, Put: [2]int{40, 500}, AllIn: 500}
	for _, test := range []struct {
		node   *spot.Node
		action spot.Action
		want   string
	}{
		{node, spot.Action{Kind: spot.Fold}, "fold"},
		{&spot.Node{AllIn: 500}, spot.Action{Kind: spot.Check}, "check"},
		{&spot.Node{AllIn: 500}, spot.Action{Kind: spot.Bet, To: 60}, "bet 60"},
		{&spot.Node{AllIn: 500}, spot.Action{Kind: spot.Bet, To: 500}, "bet 500 all-in"},
		{node, spot.Action{Kind: spot.Call}, "call 40"},
		{node, spot.Action{Kind: spot.Raise, To: 120}, "raise to 120"},
		{node, spot.Action{Kind: spot.Raise, To: 500}, "raise to 500 all-in"},
		{short, spot.Action{Kind: spot.Call}, "call 460 all-in"},
	} {
		test.node.Actions = []spot.Action{test.action}
		turn := test.node.Turn()
		if got := turn.Name(turn.Choices[0]); got != test.want {
			t.Errorf("%v of %+v: %q, want %q", test.action, test.node, got, test.want)
		}
	}
}

// A hand that blocks all hands of the other player has no figures in the table and on the page: 0 would be one.
func TestNoValue(t *testing.T) {
	s := solveBluffs(t, "ranges.oop=AsAh,QcQd", "ranges.ip=AsKs,AhKh").Solution()
	n, err := s.At("")
	if err != nil {
		t.Fatal(err)
	}
	node, err := ForPage(s, s.At, "")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := writeTable(&text, n); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(text.String()), "\n")[1:] {
		fields, blocks := strings.Fields(line), n.Hands[0][i].Hole.String() == "AsAh"
		for k, field := range fields {
			if (field == "-") != (blocks && (k == 2 || k%2 == 1 && k > 2)) {
				t.Errorf("%q in %s", field, line)
			}
		}
		if len(fields) != 4+2*len(n.Actions) || (node.Hands[i].Values == nil) != blocks {
			t.Errorf("%s\n%+v", line, node.Hands[i])
		}
	}
}

// The JSON has the keys of docs/solve-poker.md and no others, and its probabilities add up to 1.
func TestJSON(t *testing.T) {
	text, err := json.Marshal(solvedBluffs(t).JSON())
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Board                   string
		Pot, Stack              int
		Iterations, Entries     int64
		Seconds, Exploitability float64
		Values                  []float64
		Nodes                   []struct {
			Line, Board string
			Pot, Player int
			Reached     float64
			Actions     []string
			Grid        any
			Hands       [2][]struct {
				Hand                  string
				Weight, Equity, Value float64
				Probabilities, Values []float64
			}
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if got.Board != "2c3d7h8sTc" || got.Pot != 100 || got.Stack != 100 || got.Iterations != 200 ||
		len(got.Values) != 2 || len(got.Nodes) != 2 {
		t.Errorf("%+v", got)
	}
	for _, n := range got.Nodes {
		for _, h := range n.Hands[n.Player] {
			sum := 0.0
			for _, p := range h.Probabilities {
				sum += p
			}
			if math.Abs(sum-1) > 1e-5 || len(h.Probabilities) != len(n.Actions) || len(h.Values) != len(n.Actions) {
				t.Errorf("line %q, %s: %v of %v", n.Line, h.Hand, h.Probabilities, n.Actions)
			}
		}
		for _, h := range n.Hands[1-n.Player] {
			if h.Probabilities != nil || h.Values != nil {
				t.Errorf("line %q: %s does not act and has a strategy", n.Line, h.Hand)
			}
		}
	}
}

// What --csv prints is a lock of the same strategy.
func TestCSV(t *testing.T) {
	r := solvedBluffs(t)
	var text strings.Builder
	if err := r.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		for _, x := range record[3:6] {
			if _, err := strconv.ParseFloat(x, 64); err != nil {
				t.Errorf("%v: %v", record, err)
			}
		}
	}
	locks, err := ReadLocks(strings.NewReader("\ufeff" + text.String())) // as a spreadsheet saves it
	if err != nil || len(locks) != 2 || len(locks[0].Hands) != 22 || len(locks[1].Hands) != 6 {
		t.Fatalf("%v, %v", locks, err)
	}
	for i, n := range r.Nodes {
		for _, h := range n.Hands[n.Player] {
			for a, p := range h.Probabilities {
				if got := locks[i].Hands[h.Hole][n.Actions[a].String()]; math.Abs(got-p) > 1e-3 {
					t.Errorf("line %q, %v, %v: %g, want %g", n.Line, h.Hole, n.Actions[a], got, p)
				}
			}
		}
	}
}

func FuzzReadLocks(f *testing.F) {
	f.Add("line,hand,action,probability\nb100,9d9c,f,0.25\nb100,9d9c,c,0.75\n")
	f.Add("probability,action,hand,line,x\n1,x,AhKd,,\n")
	f.Fuzz(func(t *testing.T, text string) {
		locks, err := ReadLocks(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, l := range locks {
			for hole, probabilities := range l.Hands {
				for _, p := range probabilities {
					if hole.Len() != 2 || !(p >= 0 && p <= 1) {
						t.Errorf("%q gives %v", text, l)
					}
				}
			}
		}
	})
}
