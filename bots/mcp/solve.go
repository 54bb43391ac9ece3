package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamebots/acpc/card"
	"gamebots/acpc/history"
	"gamebots/solvers/policy/browse"
)

// strategyBot is the bot whose strategy says with which hands the players come to a spot.
const strategyBot = "cfr"

// spot is where a round of a hand of two begins, and the line from there to a decision.
type spot struct {
	betting    string // the betting before, as the ACPC writes it
	board      string
	spent      int32 // what each player has put in before the round
	line       string
	bets       []string // sizes of the bets and raises of the line in chips
	raises     []string
	street     string
	pot, stack int32
}

// solved is a decision in a solved spot.
type solved struct {
	Board          string         `json:"board"`
	Pot            int32          `json:"pot"`
	Stack          int32          `json:"stack"`
	Line           string         `json:"line"` // the round's, as [gamebots/solvers/resolve/spot] has it
	Exploitability string         `json:"exploitability"`
	Mapped         int            `json:"mapped,omitempty"` // earlier raises that stand for others in the ranges
	Played         string         `json:"played"`
	Actions        []solvedAction `json:"actions"`
	Hand           string         `json:"hand,omitempty"` // the player's cards, if you have seen them
}

// solvedAction is how often an action is played by all hands, and by the player's, if that is known, with the chips
// that it wins on average.
type solvedAction struct {
	Name      string   `json:"name"`
	Frequency float64  `json:"frequency"`
	Share     *float64 `json:"share,omitempty"`
	Value     *float64 `json:"value,omitempty"`
}

// decision names an action in a hand.
type decision struct {
	handOf
	Action int `json:"action" jsonschema:"number of the action in the hand, from 0"`
}

// spotTime is how long a spot is solved, at most.
const spotTime = 10 * time.Second

func (p *Player) solve(ctx context.Context, in decision) (any, error) {
	g, err := p.poker(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	if in.Hand < 0 || in.Hand >= len(g.View.Poker.Finished) {
		return nil, notOver(in.Hand)
	}
	h := &history.JSONHand{}
	if err := json.Unmarshal(g.View.Poker.Finished[in.Hand], h); err != nil {
		return nil, err
	}
	if in.Action < 0 || in.Action >= len(h.Actions) {
		return nil, fmt.Errorf("the hand has the actions 0 to %d", len(h.Actions)-1)
	}
	played := h.Actions[in.Action]
	if h.Betting != "nolimit" || len(h.Players) != 2 || played.Round < 2 {
		return nil, errors.New("turns and rivers of no-limit hold'em for two are solved: judge rates other decisions")
	}
	s := spotOf(h, in.Action)
	start := &browse.Node{}
	if err := p.get(ctx, "/strategies/"+g.Rules+"/"+strategyBot,
		url.Values{"at": {s.betting}, "board": {s.board}}, start); err != nil {
		return nil, err
	}
	first := start.Position - 1 // acts first, and is out of position
	found := struct {
		Exploitability string
		Node           *browse.Node
		Text           string // what is wrong, without a node
	}{}
	ctx, cancel := context.WithTimeout(ctx, spotTime)
	defer cancel()
	if err := p.get(ctx, "/spots/solve", url.Values{
		"spot.board": {s.board}, "spot.pot": {strconv.Itoa(int(s.pot))}, "spot.stack": {strconv.Itoa(int(s.stack))},
		"ranges.oop": {start.Players[first].Range}, "ranges.ip": {start.Players[1-first].Range},
		"bets.bets":         {"50,100;" + s.street + ":" + strings.Join(append(s.bets, "50,100"), ",")},
		"bets.raises":       {"60;" + s.street + ":" + strings.Join(append(s.raises, "60"), ",")},
		"bets.force_all_in": {"0"}, "bets.merge": {"0"}, "line": {s.line},
	}, &found); err != nil {
		return nil, err
	}
	if found.Node == nil {
		return nil, errors.New(found.Text)
	}
	out := solved{Board: s.board, Pot: s.pot, Stack: s.stack, Line: s.line, Exploitability: found.Exploitability,
		Mapped: start.Mapped, Played: played.Name, Actions: []solvedAction{}}
	for _, a := range found.Node.Actions {
		out.Actions = append(out.Actions, solvedAction{Name: a.Name, Frequency: a.Frequency})
	}
	if out.Hand = h.Holes[played.Position]; out.Hand == "" {
		return out, nil
	}
	hole, err := card.ParseSet(out.Hand)
	i := slices.IndexFunc(found.Node.Hands, func(h browse.Hand) bool { return h.Cards[0] == hole.String() })
	if err != nil || i < 0 {
		return out, err
	}
	hand := &found.Node.Hands[i]
	for i := range out.Actions {
		out.Actions[i].Share = &hand.Probabilities[i]
		if hand.Values != nil {
			out.Actions[i].Value = &hand.Values[i]
		}
	}
	return out, nil
}

// spotOf returns the spot of an action of a turn or river.
func spotOf(h *history.JSONHand, action int) (s spot) {
	round := h.Actions[action].Round
	betting, line, owed := make([]string, round+1), []string{}, int32(0)
	for _, a := range h.Actions[:action] {
		letter := map[string]string{"fold": "f", "call": "c", "raise": fmt.Sprintf("r%d", a.To)}[a.Action]
		if a.Round < round {
			betting[a.Round] += letter
			s.spent = max(s.spent, a.To)
			continue
		}
		switch bet := a.To - s.spent; {
		case a.Action == "call":
			line = append(line, "x") // a call ends the round
		case owed == 0:
			line, s.bets, owed = append(line, fmt.Sprintf("b%d", bet)), append(s.bets, fmt.Sprintf("%dc", bet)), bet
		default:
			s.raises = append(s.raises, fmt.Sprintf("%dc", bet-owed))
			line, owed = append(line, fmt.Sprintf("r%d", bet)), bet
		}
	}
	s.betting, s.line = strings.Join(betting, "/"), strings.Join(line, " ")
	s.board, s.street = strings.Join(h.Board[:round+1], ""), [...]string{"turn", "river"}[round-2]
	s.pot, s.stack = 2*s.spent, slices.Min(h.Stacks)-s.spent
	return s
}
