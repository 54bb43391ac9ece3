package tty

import (
	"fmt"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/acpc/card"
)

// cardLines is the height of a drawn card.
const cardLines = 3

// drawn is cards side by side, line by line.
type drawn [cardLines]string

// add appends a card, or the back of one.
func (d *drawn) add(face string) {
	d[0] += "┌──┐"
	d[1] += "│" + face + "│"
	d[2] += "└──┘"
}

// face returns a card in two columns, as in "A♠".
func (p *Person) face(c card.Card) string {
	suit := c.Suit()
	text := c.String()[:1] + []string{"♣", "♦", "♥", "♠"}[suit]
	if p.Colour && (suit == 1 || suit == 2) {
		return "\x1b[31m" + text + "\x1b[0m"
	}
	return text
}

// draw draws the table: the board, the pot, and the players with their cards.
func (p *Person) draw(m *acpc.MatchState) {
	g := m.Game()
	var board drawn
	for _, c := range m.Board[:g.BoardCards(m.Round())] {
		board.add(p.face(c))
	}
	if board[0] != "" {
		fmt.Fprintln(p.Out, "board")
		p.print(board, "")
	}
	most := called(&m.State)
	fmt.Fprintf(p.Out, "pot %d\n", m.Pot().Chips()-int64(m.MaxSpent()-most))
	for q := range g.NumPlayers {
		label := fmt.Sprintf("%s, %d in the pot", p.Name(m.HandID, q), min(m.Spent(q), most))
		switch {
		case m.Folded(q):
			fmt.Fprintln(p.Out, "  "+label+", folded")
			continue
		case m.Game().Stack[q] == m.Spent(q):
			label += ", all-in"
		}
		if m.AtShowdown() && m.Shows(q) {
			label += ", " + m.HandName(q)
		}
		var hole drawn
		for _, c := range m.Holes[q][:g.NumHoleCards] {
			if m.Shows(q) {
				hole.add(p.face(c))
			} else {
				hole.add("░░")
			}
		}
		p.print(hole, label)
	}
}

// called returns the most that a player has in the pot. What a bet had above all others goes back at the end of a hand.
func called(s *acpc.State) int32 {
	if !s.Finished() {
		return s.MaxSpent()
	}
	var spent []int32
	for p := range s.Game().NumPlayers {
		spent = append(spent, s.Spent(p))
	}
	slices.Sort(spent)
	return spent[len(spent)-2]
}

// print prints cards, with a label beside their middle.
func (p *Person) print(d drawn, label string) {
	for i, line := range d {
		if i == cardLines/2 {
			line += " " + label
		}
		fmt.Fprintln(p.Out, "  "+strings.TrimRight(line, " "))
	}
}
