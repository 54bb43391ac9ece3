package history

import (
	"strconv"
	"strings"

	"gamebots/acpc"
)

// CSVHeader is the first line of a table of hands: a line a player and hand.
const CSVHeader = "match,hand,position,player,hole_cards,board,betting,folded,showdown,put_in,won\n"

// AppendCSV appends the lines of a hand, whose match the caller knows. Cards and
// betting are as in a log, chips without thousands.
func (h *Hand) AppendCSV(dst []byte, match string) []byte {
	g := h.Game()
	betting, board := h.Betting(), h.boardText("/")
	for p := range g.NumPlayers {
		hole := ""
		if !h.Hidden[p] {
			hole = cardText(h.Holes[p][:g.NumHoleCards])
		}
		for i, field := range []string{
			match, strconv.FormatUint(uint64(h.HandID), 10), strconv.Itoa(p), h.Names[p], hole, board, betting,
			strconv.FormatBool(h.Folded(p)), strconv.FormatBool(h.AtShowdown() && !h.Folded(p)),
			strconv.Itoa(int(h.Spent(p))), string(acpc.AppendValue(nil, h.Values[p])),
		} {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendField(dst, field)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// AppendField appends one field of a CSV file, in quotes where it needs them
// (RFC 4180).
func AppendField(dst []byte, field string) []byte {
	if !strings.ContainsAny(field, ",\"\r\n") {
		return append(dst, field...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(field, `"`, `""`)...), '"')
}

// Betting returns the hand's actions as a log has them, such as "crrc/cc".
func (h *Hand) Betting() string {
	var text []byte
	for r := range h.Round() + 1 {
		if r > 0 {
			text = append(text, '/')
		}
		for _, a := range h.Actions(r) {
			text = a.Append(text)
		}
	}
	return string(text)
}

// boardText returns the board cards with a separator between rounds that have
// some.
func (h *Hand) boardText(separator string) string {
	return strings.Join(h.boards(), separator)
}

// boards returns the cards that each round with cards added.
func (h *Hand) boards() []string {
	cards := []string{}
	g, at := h.Game(), 0
	for _, k := range g.NumBoardCards[:h.Round()+1] {
		if k > 0 {
			cards = append(cards, cardText(h.Board[at:at+int(k)]))
			at += int(k)
		}
	}
	return cards
}
