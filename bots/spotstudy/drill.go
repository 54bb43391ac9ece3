package spotstudy

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gamebots/solvers/resolve/spot"
)

// drill is a hand of a solved spot that a person plays against the solution, as far as the person's actions lead.
type drill struct {
	Player  string   `json:"player"` // where the person sits
	Cards   string   `json:"cards"`
	Other   string   `json:"other,omitempty"` // the other player's cards at a showdown
	Board   string   `json:"board"`
	Pot     int      `json:"pot"`
	ToCall  int      `json:"to_call"`
	Told    []string `json:"told"`             // what was done, in words
	Actions []advice `json:"actions"`          // without shares and values; none once the hand is over
	Judged  []judged `json:"judged"`           // the person's actions
	Result  string   `json:"result,omitempty"` // "win", "lose", "share the pot" or "fold", once it is over
}

// judged is what the solution says of an action.
type judged struct {
	Name    string   `json:"name"`
	Lost    float64  `json:"lost"` // chips
	Advised []advice `json:"advised"`
}

// advice is how often the solution takes an action with a hand, and what that wins in chips.
type advice struct {
	Text  string  `json:"text"`
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	Value float64 `json:"value"`
}

// drill plays a hand whose number is that of a query, up to the decision after the person's actions there. The same
// number gives the same cards.
func (x *solvedSpot) drill(ctx context.Context, query url.Values) (any, error) {
	number, err := strconv.ParseUint(query.Get("hand"), 10, 32)
	if err != nil {
		return nil, fmt.Errorf("hand: %w", err)
	}
	d, err := newDeal(x.solution.Spot(), rand.New(rand.NewPCG(number, 0)), int(number%2))
	if err != nil {
		return nil, err
	}
	a := &drill{
		Player: spot.PlayerNames[d.person], Cards: d.holes[d.person].String(), Judged: []judged{}, Told: []string{},
	}
	todo := strings.Fields(query.Get("actions"))
	for {
		at := func(line string) (*spot.Node, error) { return x.at(ctx, line) }
		n, h, err := d.next(at, func(n *spot.Node, action int) {
			a.Told = append(a.Told, spot.PlayerNames[n.Player]+": "+Grid(n).Names[action])
		})
		if err != nil {
			return nil, err
		}
		if n == nil {
			break
		}
		var advised []advice
		for i, name := range Grid(n).Names {
			advised = append(advised, advice{n.Actions[i].String(), name, h.Probabilities[i], h.Values[i]})
		}
		a.Pot, a.ToCall, a.Board = n.Pot, n.Put[1-n.Player]-n.Put[n.Player], d.board.Text()
		if len(todo) == 0 {
			for _, action := range advised {
				a.Actions = append(a.Actions, advice{Text: action.Text, Name: action.Name})
			}
			return a, nil
		}
		i := slices.IndexFunc(advised, func(action advice) bool { return action.Text == todo[0] })
		if i < 0 {
			return nil, errors.New(todo[0] + ": the hand has no such action")
		}
		a.Judged = append(a.Judged, judged{advised[i].Name, lostBy(h, i), advised})
		a.Told = append(a.Told, "you: "+advised[i].Name)
		d.act(n, i)
		todo = todo[1:]
	}
	if len(todo) > 0 {
		return nil, errors.New(todo[0] + ": the hand is over")
	}
	if a.Result = d.end(); a.Result != folded {
		a.Other = d.holes[1-d.person].String()
	}
	a.Board = d.board.Text()
	return a, nil
}

// mostNodes is how many points of a solution are kept.
const mostNodes = 32

// at is the At of the solution, which takes as long as an iteration. It fails once the context is done.
func (x *solvedSpot) at(ctx context.Context, line string) (*spot.Node, error) {
	if n := x.nodes[line]; n != nil {
		return n, nil
	}
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("the time was too short for the hand: ask again to go on (%w)", err)
	}
	n, err := x.solution.At(line)
	if err == nil {
		if len(x.nodes) >= mostNodes {
			clear(x.nodes)
		}
		x.nodes[line] = n
	}
	return n, err
}
