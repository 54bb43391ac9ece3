package agent

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"gamebots/solvers/nash/extensive"
)

// Profile asks what all players of an extensive game do in all of their information sets.
func (a *Agent) Profile(ctx context.Context) (extensive.Profile, error) {
	g := a.Extensive
	profile := make(extensive.Profile, len(g.Sets))
	for set, s := range g.Sets {
		if s.Player == extensive.Chance {
			continue
		}
		names := actionNames(g, set)
		q := &Question{Player: Number(s.Player + 1), Set: Number(s.Number), Name: s.Name, Legal: names}
		q.History = history(g, s.Nodes[0])
		answer, err := a.Ask(ctx, q)
		if err != nil {
			return nil, err
		}
		for range names {
			profile[set] = append(profile[set], new(big.Rat))
		}
		total := new(big.Rat)
		for k, action := range answer.Actions {
			i := slices.Index(names, action)
			if i < 0 {
				err := fmt.Errorf("action %q: want one of %s", action, strings.Join(names, ", "))
				return nil, &AnswerError{q.ID, err}
			}
			total.Add(total, profile[set][i].SetFloat64(answer.Probabilities.of(0)[k]))
		}
		for _, p := range profile[set] {
			p.Quo(p, total) // a sum of floats is not exactly 1
		}
	}
	return profile, nil
}

// actionNames returns the names of a set's actions, or their numbers if these names are not all different.
func actionNames(g *extensive.Game, set int) []string {
	actions := g.Sets[set].Actions
	for i, action := range actions {
		if action == "" || slices.Contains(actions[:i], action) {
			return g.ActionNames(set)
		}
	}
	return actions
}

// history returns the names of the actions that lead to a node.
func history(g *extensive.Game, node int) []string {
	var names []string
	for up := g.Nodes[node].Parent; up != extensive.None; node, up = up, g.Nodes[up].Parent {
		names = append(names, actionNames(g, g.Nodes[up].Set)[g.Nodes[node].Action])
	}
	slices.Reverse(names)
	return names
}

// Profile answers questions about strategies of an extensive game.
type Profile struct {
	Game    *extensive.Game
	Profile extensive.Profile
}

// Answer implements [Answerer].
func (p *Profile) Answer(_ context.Context, q *Question) (*Answer, error) {
	if q.Protocol != "" {
		return &Answer{Name: p.Game.Title}, nil
	}
	set, err := p.set(q)
	if err != nil {
		return nil, err
	}
	row := make([]float64, len(p.Profile[set]))
	for i, x := range p.Profile[set] {
		row[i], _ = x.Float64()
	}
	return &Answer{Actions: actionNames(p.Game, set), Probabilities: Rows{row}}, nil
}

// set returns the information set that a question is about.
func (p *Profile) set(q *Question) (int, error) {
	g := p.Game
	set := slices.IndexFunc(g.Sets, func(s extensive.Set) bool {
		return q.Player > 0 && s.Player+1 == int(q.Player) && s.Number == int(q.Set)
	})
	switch {
	case q.Set == 0 && q.History == nil:
		return 0, errors.New(`"set" or "history" is missing`)
	case q.Set != 0 && set < 0:
		return 0, fmt.Errorf("player %d has no information set %d: players count from 1", q.Player, q.Set)
	case q.History == nil:
		return set, nil
	}
	after, err := p.after(q.History)
	if err == nil && (q.Set != 0 && set != after || q.Player != 0 && g.Sets[after].Player+1 != int(q.Player)) {
		err = fmt.Errorf(`after "history" comes set %d of player %d, which "player" or "set" contradicts`,
			g.Sets[after].Number, g.Sets[after].Player+1)
	}
	return after, err
}

// after returns the information set after a history.
func (p *Profile) after(history []string) (int, error) {
	g, node := p.Game, 0
	for i, action := range history {
		n := &g.Nodes[node]
		if n.Set == extensive.None {
			return 0, fmt.Errorf("the game is over after %s", strings.Join(history[:i], " "))
		}
		names := actionNames(g, n.Set)
		k := slices.Index(names, action)
		if k < 0 {
			return 0, fmt.Errorf("action %q after %q: want one of %s", action, strings.Join(history[:i], " "),
				strings.Join(names, ", "))
		}
		node = n.Children[k]
	}
	switch set := g.Nodes[node].Set; {
	case set == extensive.None:
		return 0, errors.New("the game is over there")
	case g.Sets[set].Player == extensive.Chance:
		return 0, fmt.Errorf("chance moves there: its actions are %s", strings.Join(actionNames(g, set), ", "))
	default:
		return set, nil
	}
}
