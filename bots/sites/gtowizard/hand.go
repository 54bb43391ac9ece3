package gtowizard

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/bots/sites"
)

// Name is the name of GTO Wizard AI in the site's answers and in the hands of a match.
const Name = "GTO Wizard"

// gameName is the site's name of the game.
const gameName = "HUNL 200BB"

// answer is a hand as the site describes it. Pointers are nil where it does not say.
type answer struct {
	ID   int64 `json:"hand_id"`
	Game struct {
		Name   string    `json:"game_name"`
		Stack  float64   `json:"starting_stack"`
		Blinds []float64 `json:"blinds"` // the big one first
	} `json:"game"`
	State struct {
		Street   string   `json:"street"`
		Pot      float64  `json:"total_pot"`
		Board    string   `json:"board_cards"`
		Over     bool     `json:"is_hand_over"`
		Players  []player `json:"players"`
		Legal    []string `json:"legal_actions"`
		Raise    *bounds  `json:"raise_range"`
		History  []string `json:"action_history"`
		Winnings *float64 `json:"winnings"`
		Score    *float64 `json:"aivat_score"`
	} `json:"game_state"`
}

type player struct {
	Name     string `json:"name"`
	Position string `json:"position"`
	Hole     string `json:"hole_cards"` // "" where it is hidden
}

// bounds are those of a bet, in chips of the round.
type bounds struct{ Min, Max float64 }

// action is an action as the site reads it.
type action struct {
	Kind   string      `json:"action"`
	Amount json.Number `json:"amount,omitempty"`
}

// streets are the names of the rounds.
var streets = []string{"preflop", "flop", "turn", "river"}

// read reads the hand of an answer: over, or at a decision of the player.
func (a *answer) read(g *acpc.Game) (*sites.Hand, error) {
	s := &a.State
	if a.ID <= 0 || a.ID > math.MaxUint32 {
		return nil, sites.Wrong("%d is no number of a hand", a.ID)
	}
	if a.Game.Name != gameName || a.Game.Stack != float64(g.Stack[0]) ||
		!slices.Equal(a.Game.Blinds, []float64{100, 50}) {
		return nil, sites.Wrong("its game is %.100q with the stack %g and the blinds %v", a.Game.Name, a.Game.Stack,
			a.Game.Blinds)
	}
	own, other, err := a.seats()
	if err != nil {
		return nil, err
	}
	h, err := sites.ReadHand(g, uint32(a.ID), slices.Index([]string{"BB", "SB"}, own.Position), s.History, "_")
	if err == nil {
		err = h.Deal(pairs(own.Hole), pairs(s.Board), pairs(other.Hole))
	}
	if err == nil {
		err = h.CheckTurn(s.Winnings)
	}
	if err != nil {
		return nil, err
	}
	switch pot := float64(h.Spent(0) + h.Spent(1)); {
	case s.Over != h.Finished():
		return nil, sites.Wrong("is_hand_over is %v after %q", s.Over, s.History)
	case !s.Over && s.Street != streets[h.Round()]:
		return nil, sites.Wrong("the street is %.20q after %q", s.Street, s.History)
	case !s.Over && s.Pot != pot:
		return nil, sites.Wrong("the pot is %g after %q, which make it %g", s.Pot, s.History, pot)
	}
	return h, nil
}

// seats returns the player and the opponent. The opponent is the one with the site's name, not the one whose cards are
// hidden, because they may be shown; only where no name says it the cards do.
func (a *answer) seats() (own, other *player, err error) {
	p := a.State.Players
	is := func(p player) bool { return strings.HasPrefix(p.Name, Name) }
	if len(p) == 2 && is(p[0]) == is(p[1]) {
		is = func(p player) bool { return p.Hole == "" }
	}
	if len(p) != 2 || is(p[0]) == is(p[1]) {
		return nil, nil, sites.Wrong("the players are not %s and another one", Name)
	}
	if own, other = &p[0], &p[1]; is(*own) {
		own, other = other, own
	}
	if seats := own.Position + other.Position; seats != "SBBB" && seats != "BBSB" {
		return nil, nil, sites.Wrong("the positions are %.10q and %.10q", own.Position, other.Position)
	}
	return own, other, nil
}

// pairs splits cards, of two characters each.
func pairs(cards string) (all []string) {
	for pair := range slices.Chunk([]byte(cards), 2) {
		all = append(all, string(pair))
	}
	return all
}

// allowed returns an action that the site allows: the given one, the nearest bet, or without bets a call.
func (a *answer) allowed(text string) (string, error) {
	legal, raise := a.State.Legal, a.State.Raise
	if text[0] == 'b' {
		if chips, err := strconv.ParseFloat(text[1:], 64); err == nil && raise != nil && slices.Contains(legal, "b") {
			return "b" + strconv.Itoa(int(max(raise.Min, min(chips, raise.Max)))), nil
		}
		text = "c"
	}
	if text == "c" && !slices.Contains(legal, "c") {
		text = "k"
	}
	if !slices.Contains(legal, text) {
		return "", sites.Wrong("it allows %.100q, and the rules %q", legal, text)
	}
	return text, nil
}
