package history

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"gamebots/acpc"
)

// CSVHeader is the first line of a table of hands, which has a line for every player
// of every hand.
const CSVHeader = "match,hand,position,player,hole_cards,board,betting,folded,showdown,put_in,won\n"

// AppendCSV appends a line for each player of the hand; match is the name in the first
// column. Cards and betting are written as in a log.
func (h *Hand) AppendCSV(dst []byte, match string) []byte {
	g := h.Game()
	betting, board := h.Betting(), strings.Join(h.boards(), "/")
	rows := make([][]string, g.NumPlayers)
	for p := range rows {
		rows[p] = []string{
			match, strconv.FormatUint(uint64(h.HandID), 10), strconv.Itoa(p), h.Names[p], h.hole(p), board, betting,
			strconv.FormatBool(h.Folded(p)), strconv.FormatBool(h.AtShowdown() && !h.Folded(p)),
			strconv.Itoa(int(h.Spent(p))), string(acpc.AppendValue(nil, h.Values[p])),
		}
	}
	return AppendRows(dst, rows...)
}

// AppendRows appends lines of a CSV file, as [csv.Writer] writes them.
func AppendRows(dst []byte, rows ...[]string) []byte {
	text := bytes.NewBuffer(dst)
	if err := csv.NewWriter(text).WriteAll(rows); err != nil {
		panic(err) // a buffer takes all
	}
	return text.Bytes()
}

// Betting returns the hand's actions in a log's notation, such as "crrc/cc".
func (h *Hand) Betting() string { return string(h.AppendBetting(nil)) }

// boards returns the board cards of each round that deals some.
func (h *Hand) boards() []string {
	cards := []string{}
	for r := range h.Round() + 1 {
		if dealt := h.dealt(r); dealt != "" {
			cards = append(cards, dealt)
		}
	}
	return cards
}

// dealt returns the board cards that a round deals.
func (h *Hand) dealt(round int) string {
	end := h.Game().BoardCards(round)
	return cardText(h.Board[end-int(h.Game().NumBoardCards[round]) : end])
}

// hole returns the hole cards of a position, "" if they are hidden.
func (h *Hand) hole(p int) string {
	if h.Hidden[p] {
		return ""
	}
	return cardText(h.Holes[p][:h.Game().NumHoleCards])
}
