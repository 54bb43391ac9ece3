package history

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// phhReplay plays a hand from the actions of PHH.
type phhReplay struct {
	hand  *Hand
	first int
	scale float64
	ante  int32
	dealt [acpc.MaxPlayers]int   // hole cards
	start [acpc.MaxPlayers]int32 // chips put in before the round
	round int                    // the round that start belongs to
	board int                    // cards on the table
	// mucked is set when a player did not show at the showdown.
	mucked bool
}

// action plays one action.
func (r *phhReplay) action(text string) error {
	text, _, _ = strings.Cut(text, "#") // a comment
	words := strings.Fields(text)
	switch {
	case len(words) == 0:
		return nil
	case words[0] == "d" && len(words) == 3 && words[1] == "db":
		return r.dealBoard(words[2])
	case words[0] == "d" && len(words) == 4 && words[1] == "dh":
		p, err := r.position(words[2])
		if err != nil {
			return err
		}
		return r.dealHole(p, words[3])
	case words[0] == "d" || len(words) < 2:
		return errors.New("not an action of the format")
	}
	p, err := r.position(words[0])
	if err != nil {
		return err
	}
	switch verb := words[1]; {
	case verb == "f" && len(words) == 2:
		return r.act(p, acpc.Action{Type: acpc.Fold})
	case verb == "cc" && len(words) == 2:
		return r.act(p, acpc.Action{Type: acpc.Call})
	case verb == "cbr" && len(words) == 3:
		return r.raise(p, words[2])
	case verb == "sm" && len(words) <= 3:
		return r.show(p, words[2:])
	case verb == "sd" || verb == "pb":
		return errors.New("not an action of hold'em")
	}
	return errors.New("not an action of the format")
}

func (r *phhReplay) position(player string) (int, error) {
	n := r.hand.Game().NumPlayers
	i, err := strconv.Atoi(strings.TrimPrefix(player, "p"))
	if !strings.HasPrefix(player, "p") || err != nil || i < 1 || i > n {
		return 0, fmt.Errorf("%q is not a player from p1 to p%d", player, n)
	}
	return (i - 1 + r.first) % n, nil
}

func (r *phhReplay) dealHole(p int, text string) error {
	h, n := r.hand, r.hand.Game().NumHoleCards
	if h.NumActions() > 0 {
		return errors.New("hole cards after the first action")
	}
	hidden := 0
	for ; text != ""; text = text[2:] {
		if r.dealt[p] == n {
			return fmt.Errorf("more than %d hole cards", n)
		}
		c, err := card.Parse(text)
		switch {
		case text == "?":
			return errors.New("half a card")
		case strings.Contains(text[:min(2, len(text))], "?"):
			hidden++ // so is a card with a known suit or rank only
		case err != nil:
			return err
		default:
			h.Holes[p][r.dealt[p]] = c
		}
		r.dealt[p]++
	}
	h.Hidden[p] = hidden > 0 || r.dealt[p] < n
	return nil
}

func (r *phhReplay) dealBoard(text string) error {
	h := r.hand
	for ; text != ""; text = text[2:] {
		if r.board == h.Game().BoardCards(h.Round()) {
			return fmt.Errorf("the board has its %d cards of the round already", r.board)
		}
		c, err := card.Parse(text)
		if err != nil {
			return err
		}
		h.Board[r.board] = c
		r.board++
	}
	return nil
}

// turn returns an error unless it is the position's turn.
func (r *phhReplay) turn(p int) error {
	h := r.hand
	switch {
	case h.Finished():
		return errors.New("the hand is over")
	case h.Actor() != p:
		return fmt.Errorf("it is the turn of p%d", (h.Actor()-r.first+h.Game().NumPlayers)%h.Game().NumPlayers+1)
	}
	if want := h.Game().BoardCards(h.Round()); r.board != want {
		return fmt.Errorf("%d board cards are dealt, not %d", r.board, want)
	}
	return nil
}

func (r *phhReplay) act(p int, a acpc.Action) error {
	if err := r.turn(p); err != nil {
		return err
	}
	if err := r.hand.Check(a); err != nil {
		return err
	}
	h := r.hand
	h.Apply(a)
	if h.Round() != r.round {
		r.round = h.Round()
		for q := range h.Game().NumPlayers {
			r.start[q] = h.Spent(q)
		}
	}
	return nil
}

// before returns the chips that a position put in before the round, antes included.
func (r *phhReplay) before(p int) int32 {
	if r.round == 0 {
		return r.ante
	}
	return r.start[p]
}

// raise plays a bet or raise to an amount, which counts the chips of the round.
func (r *phhReplay) raise(p int, amount string) error {
	if err := r.turn(p); err != nil {
		return err
	}
	v, err := strconv.ParseFloat(amount, 64)
	v *= r.scale
	whole := math.Round(v)
	if err != nil || !(whole > -math.MaxInt32 && whole < math.MaxInt32) {
		return fmt.Errorf("%q is not an amount", amount)
	}
	if math.Abs(v-whole) > 1e-6 {
		return fmt.Errorf("%v is a fraction of a chip, which a log cannot have", v)
	}
	before, g := r.before(p), r.hand.Game()
	if g.Betting == acpc.NoLimit {
		size := int32(min(float64(before)+whole, math.MaxInt32))
		return r.act(p, acpc.Action{Type: acpc.Raise, Size: size})
	}
	after := r.hand.State
	if err := after.Check(acpc.Action{Type: acpc.Raise}); err != nil {
		return err
	}
	if after.Apply(acpc.Action{Type: acpc.Raise}); float64(after.Spent(p)-before) != whole {
		return fmt.Errorf("a raise must be to %d here", after.Spent(p)-before)
	}
	return r.act(p, acpc.Action{Type: acpc.Raise})
}

// show sets the cards that a player shows, or notes that the player mucks.
func (r *phhReplay) show(p int, cards []string) error {
	h := r.hand
	if !h.Finished() {
		return errors.New("the betting is not over")
	}
	if h.Folded(p) {
		return errors.New("the player has folded")
	}
	if len(cards) == 0 || strings.Contains(cards[0], "?") {
		// The winner without a showdown need not show.
		r.mucked = r.mucked || h.AtShowdown()
		return nil
	}
	if cards[0] == "-" {
		return nil
	}
	n := h.Game().NumHoleCards
	if len(cards[0]) != 2*n {
		return fmt.Errorf("not %d cards", n)
	}
	var shown [acpc.MaxHoleCards]card.Card
	for i := range n {
		c, err := card.Parse(cards[0][2*i:])
		if err != nil {
			return err
		}
		shown[i] = c
	}
	if !h.Hidden[p] {
		if card.SetOf(shown[:n]...) != card.SetOf(h.Holes[p][:n]...) {
			return fmt.Errorf("the player has %s", cardText(h.Holes[p][:n]))
		}
		return nil // the same cards in the order in which they were dealt
	}
	h.Holes[p], h.Hidden[p] = shown, false
	return nil
}

// end returns an error unless the hand is finished with all its board cards.
func (r *phhReplay) end() error {
	h := r.hand
	if !h.Finished() {
		return errors.New("the hand is not over")
	}
	if want := h.Game().BoardCards(h.Round()); r.board != want {
		return fmt.Errorf("%d board cards at the end, not %d", r.board, want)
	}
	return nil
}

// Step is one action of a hand.
type Step struct {
	Round    int
	Position int
	Action   acpc.Action
	// To is the number of chips that the position has put in over the whole hand, and
	// Bet the part of it that belongs to the round's betting: blinds do, antes do not.
	// Both are after the action.
	To, Bet int32
	// Pot is the number of chips in the pot after the action.
	Pot int64
	// LowersBet marks a raise after which the bet to match is smaller than before.
	LowersBet bool
}

// Steps returns the hand's actions in order, replayed by the rules of the original
// dealer.
func (h *Hand) Steps() []Step {
	g := *h.Game()
	g.UnderRaise = true
	s := g.NewState(h.HandID)
	ante := g.Ante()
	steps := make([]Step, 0, h.NumActions())
	for round := range h.Round() + 1 {
		start := [acpc.MaxPlayers]int32{} // chips put in before the round
		for p := range g.NumPlayers {
			start[p] = s.Spent(p)
			if round == 0 {
				start[p] = ante
			}
		}
		for _, a := range h.Actions(round) {
			p, before := s.Actor(), s.MaxSpent()
			s.Apply(a)
			step := Step{Round: round, Position: p, Action: a, To: s.Spent(p), Bet: s.Spent(p) - start[p],
				Pot: s.Pot().Chips(), LowersBet: a.Type == acpc.Raise && s.MaxSpent() <= before}
			steps = append(steps, step)
		}
	}
	return steps
}
