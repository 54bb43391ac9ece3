package browse

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// Point is a point of a game: a hand's betting, the board as far as it is known, and maybe
// the hole cards of the player to act.
type Point struct {
	Hand acpc.State // its betting
	// Board is the board cards that each round adds; those of rounds that are not known are
	// empty.
	Board [acpc.MaxRounds]card.Set
	Hole  card.Set
	// Mapped is how many raises of Hand stand for others, which the strategy's tree lacks.
	Mapped int
}

// ErrOver is the error for a point where nobody is to act.
var ErrOver = errors.New("the hand is over")

// BoardError is the error for a point whose board is not known as far as it must be. Round
// counts from 0.
type BoardError struct{ Round, Cards int }

func (e *BoardError) Error() string {
	return fmt.Sprintf("round %d needs the board, %d cards", e.Round+1, e.Cards)
}

// Parse reads a point from a betting sequence, as in "crc/r" or as people type it ("x b600 c"), or from a hand as the
// ACPC's dealer writes it, MATCHSTATE or STATE. board has the board cards of a betting sequence, in
// the order of their rounds, maybe with slashes; "" if they are not known.
//
// Raises that the tree lacks are mapped to the likelier of the two that they are between,
// see [betting.Tree.Translate]. Where the tree has no such decision the error is a
// [policy.ErrOffTree].
func (s *Strategy) Parse(at, board string) (Point, error) {
	var p Point
	var err error
	g := s.Game()
	switch line := strings.HasPrefix(at, "MATCHSTATE:") || strings.HasPrefix(at, "STATE:"); {
	case line && board != "":
		err = errors.New("a dealer's line has its own board")
	case strings.HasPrefix(at, "MATCHSTATE:"):
		var m acpc.MatchState
		if m, _, err = g.ParseMatchState(at); err == nil {
			p.setHand(&m.State, m.Viewer == m.Actor())
		}
	case line:
		var hand acpc.State
		if hand, _, err = g.ParseState(at); err == nil {
			p.setHand(&hand, true)
		}
	default:
		if p.Hand, err = g.ParseBetting(at); err != nil {
			if steps, ok := typed(g, at); ok {
				p.Hand, err = steps, nil
			}
		}
		if err == nil {
			err = p.SetBoard(board)
		}
	}
	if err != nil {
		return p, err
	}
	return p, s.translate(&p)
}

// typed returns the hand after actions as people type them, see [acpc.Turn.Read].
func typed(g *acpc.Game, steps string) (hand acpc.State, ok bool) {
	hand = g.NewState(0)
	for _, step := range acpc.Steps(steps) {
		if hand.Finished() {
			return hand, false
		}
		turn := hand.Turn()
		choice, err := turn.Read(step)
		action := hand.Action(choice)
		if err != nil || hand.Check(action) != nil {
			return hand, false
		}
		hand.Apply(action)
	}
	return hand, true
}

// setHand sets the point to a hand with its cards.
func (p *Point) setHand(hand *acpc.State, hole bool) {
	p.Hand, p.Board = *hand, policy.BoardOf(hand, hand.Round())
	if a := hand.Actor(); hole && a >= 0 {
		p.Hole = card.SetOf(hand.Holes[a][:hand.Game().NumHoleCards]...)
	}
}

// SetBoard sets the board cards, in the order of their rounds. They are those of whole
// rounds, and may have slashes between them.
func (p *Point) SetBoard(text string) error {
	p.Board = [acpc.MaxRounds]card.Set{}
	text = strings.ReplaceAll(text, "/", "")
	if _, err := card.ParseSet(text); err != nil {
		return fmt.Errorf("board %q: %w", text, err)
	}
	g := p.Hand.Game()
	for r := range g.NumRounds {
		n := 2 * int(g.NumBoardCards[r])
		if text == "" {
			break
		}
		if len(text) < n {
			return fmt.Errorf("board %q: round %d adds %d cards", text, r+1, n/2)
		}
		p.Board[r], _ = card.ParseSet(text[:n]) // read above
		text = text[n:]
	}
	if text != "" {
		return fmt.Errorf("board: %q is left after all board cards of %s (%d)", text, g.Name,
			g.BoardCards(g.NumRounds-1))
	}
	return p.check()
}

// check returns an error for cards that the game cannot deal.
func (p *Point) check() error {
	g := p.Hand.Game()
	all, n := p.Hole, p.Hole.Len()
	if n != 0 && n != g.NumHoleCards {
		return fmt.Errorf("the hole cards %v are not %d", p.Hole, g.NumHoleCards)
	}
	for r, b := range p.Board {
		if b != 0 && b.Len() != int(g.NumBoardCards[r]) {
			return fmt.Errorf("the board cards %v of round %d are not %d", b, r+1, g.NumBoardCards[r])
		}
		all |= b
		n += b.Len()
	}
	if outside := all &^ card.SetOf(g.Deck()...); outside != 0 {
		return fmt.Errorf("%v is not in the deck of %s", outside, g.Name)
	}
	if all.Len() != n {
		return errors.New("a card is dealt twice")
	}
	return nil
}

// DrawBoard draws the board cards up to the hand's round that are not known, and not Hole.
// It refuses cards that cannot be dealt, as a card that a dealer's line has twice.
func (p *Point) DrawBoard(random *rand.Rand) error {
	if err := p.check(); err != nil {
		return err
	}
	g := p.Hand.Game()
	used := p.Hole
	for _, b := range p.Board {
		used |= b
	}
	deck := g.Deck()
	for r := range p.Hand.Round() + 1 {
		for p.Board[r].Len() < int(g.NumBoardCards[r]) {
			if c := deck[random.IntN(len(deck))]; !used.Has(c) {
				used |= c.Bit()
				p.Board[r] |= c.Bit()
			}
		}
	}
	return nil
}

// translate maps the raises of the point that the tree lacks.
func (s *Strategy) translate(p *Point) error {
	if p.Hand.Finished() {
		return ErrOver
	}
	if s.tree.Shape.Betting.All() {
		return nil
	}
	t, err := s.tree.Translate(&p.Hand, func(int) float64 { return 0.5 })
	if errors.Is(err, betting.ErrNoDecision) {
		return errOffTree
	}
	if err != nil {
		return err
	}
	p.Hand, p.Mapped = *t.Hand(), t.Mapped
	return nil
}

// BoardText returns the board as far as it is known, with slashes between rounds.
func (p *Point) BoardText() string { return (&abstraction.Deal{Board: p.Board}).BoardText() }

// known reports whether the board is known up to a round.
func (p *Point) known(g *acpc.Game, round int) bool {
	for r := range round + 1 {
		if p.Board[r].Len() != int(g.NumBoardCards[r]) {
			return false
		}
	}
	return true
}
