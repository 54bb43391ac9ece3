package nimsolver

import (
	"encoding/json"
	"fmt"
	"io"
)

// An Answer is what was found for a request, for people and as JSON.
type Answer struct {
	Request
	Result
	ByRule  bool   // it is that of the XOR rule, without a search
	Count   int    // heaps to show
	Device  string // where the search was made
	Seconds float64
}

// Rule returns the answer of the XOR rule.
func (r Request) Rule() Answer {
	best, wins := r.Rules.Best(r.Heaps)
	a := Answer{Request: r, Result: Result{Move: best, Value: Loss}, ByRule: true}
	if wins {
		a.Value = Win
	}
	return a
}

// Outcome words the value for the player to move, who is called first. Where the search was not deep
// enough, it has the value by the XOR rule, too.
func (a Answer) Outcome() string {
	switch a.Value {
	case Win:
		return "win: first wins"
	case Loss:
		return "loss: first loses"
	}
	rule := a.Rule()
	return fmt.Sprintf("unknown %d plies ahead; %s, by the XOR rule, with %v", a.Depth, rule.Outcome(), rule.Move)
}

// WriteText writes position, value and move, and the work of a search.
func (a Answer) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s\nmove    %v, take %d of heap %d\n",
		a.Heaps.Format(a.Count, ";"), a.Outcome(), a.Move, a.Move.Take, a.Move.Heap+1)
	if err == nil && !a.ByRule {
		_, err = fmt.Fprintf(w, "nodes   %d\ntime    %.3g s on %s\n", a.Nodes, a.Seconds, a.Device)
	}
	return err
}

// WriteJSON writes one JSON object. It has the value by the XOR rule where no search found one.
func (a Answer) WriteJSON(w io.Writer) error {
	rule := ""
	if a.ByRule || a.Value == Unknown {
		rule = a.Rule().Value.String()
	}
	return json.NewEncoder(w).Encode(struct {
		Heap    int     `json:"heap"`
		Take    int     `json:"take"`
		Value   string  `json:"value"`
		Rule    string  `json:"rule,omitempty"`
		Nodes   uint64  `json:"nodes"`
		Seconds float64 `json:"seconds"`
		Device  string  `json:"device,omitempty"`
	}{int(a.Move.Heap) + 1, int(a.Move.Take), a.Value.String(), rule, a.Nodes, a.Seconds, a.Device})
}
