package havannah

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseHGF reads the games of a text in HGF, which is SGF for Havannah, as HGui
// and LittleGolem write it. It reads the main line of each game tree and skips comments
// on moves. Properties of the root that are not part of the game itself become tags, RE
// only if the moves leave the result open.
//
// LittleGolem (RU[LG]) has a notation of its own and calls the first player
// black in PB, PW and RE; here the first is white. Errors wrap ErrRecord and
// name the line, the game and the number of the move from 1. The line is that of the
// syntax error, or for an illegal game the line where the game begins.
func ParseHGF(text string) ([]*Record, error) {
	var records []*Record
	in := sgf{rest: text}
	for {
		in.blanks()
		begin := in.rest
		nodes, err := in.tree()
		if err == errEnd && len(records) > 0 {
			return records, nil
		}
		var r *Record
		if err == nil {
			r, err = hgfRecord(nodes)
		} else {
			begin = in.rest
		}
		if err != nil {
			line := 1 + strings.Count(text[:len(text)-len(begin)], "\n")
			return nil, fmt.Errorf("%w: line %d: game %d: %w", ErrRecord, line, len(records)+1, err)
		}
		records = append(records, r)
	}
}

// hgfRecord makes a record of the nodes of a main line.
func hgfRecord(nodes [][]property) (*Record, error) {
	r, h := &Record{}, head{}
	notation := HGui
	for _, p := range nodes[0] {
		value := strings.Join(p.values, ",")
		switch p.key {
		case "SZ":
			h["side"] = value
			if diameter, ok := strings.CutPrefix(value, "d="); ok {
				d, err := number(diameter)
				if err != nil || d%2 == 0 {
					return nil, fmt.Errorf("SZ: no side has the diameter %q", diameter)
				}
				h["side"] = strconv.Itoa((d + 1) / 2)
			}
		case "GM":
			if !strings.EqualFold(value, "havannah") {
				return nil, fmt.Errorf("GM: the game is %q", value)
			}
		case "AW", "AB":
			h[strings.ToLower(p.key)] = value
		case "PL":
			h["pl"] = map[string]string{"W": "white", "B": "black"}[value]
		case "RU":
			if value == "LG" {
				notation = LittleGolem
				continue
			}
			r.tag(p.key, value)
		case "GN":
			r.Name = value
		case "W", "B", "FF", "CA", "AP":
		default:
			r.tag(p.key, value)
		}
	}
	if notation == LittleGolem {
		r.swapPlayers()
	}
	b, err := h.setup(notation)
	if err != nil {
		return nil, err
	}
	r.Board = *b
	n := 0
	for i, node := range nodes {
		for _, p := range node {
			switch p.key {
			case "W", "B":
				n++
				if err := r.playHGF(notation, p); err != nil {
					return nil, fmt.Errorf("move %d: %w", n, err)
				}
			case "AW", "AB", "AE", "PL":
				if i > 0 {
					return nil, fmt.Errorf("after move %d: %s puts stones up in the middle of the game", n, p.key)
				}
			}
		}
	}
	if r.End() != "open" {
		said := strings.ToLower(r.Tag("re") + " ")[:1] // as in B+fork
		if strings.Contains("wbd", said) && said != r.Winner()[:1] {
			return nil, fmt.Errorf("RE: the result is %s, but the moves make it %s", r.Tag("re"), r.Winner())
		}
		r.Tags = slices.DeleteFunc(r.Tags, func(t Tag) bool { return t.Key == "re" })
	}
	return r, nil
}

func (r *Record) playHGF(n Notation, p property) error {
	c := White
	if p.key == "B" {
		c = Black
	}
	text := p.values[0]
	if r.Resigned != NoColour {
		return fmt.Errorf("%s: %w", text, ErrOver)
	}
	if text == resignText {
		switch {
		case r.Board.Over():
			return fmt.Errorf("%s: %w", text, ErrOver)
		case c != r.Board.turn:
			return fmt.Errorf("%v %s: %w", c, text, ErrTurn)
		}
		r.Resigned = c
		return nil
	}
	m, err := n.Parse(&r.Board, text)
	if err != nil {
		return err
	}
	if r.Board.CanSwap() && m == r.Board.firstStone() { // HGui repeats the cell
		m = Swap
	}
	return r.Board.PlayAs(c, m)
}

// tag adds a property as a tag, unless its key is one of a record's head.
func (r *Record) tag(key, value string) {
	if key = strings.ToLower(key); !r.hasTag(key) && !slices.Contains(headKeys, key) {
		r.Tags = append(r.Tags, Tag{key, value})
	}
}

// swapPlayers exchanges the colours in the tags.
func (r *Record) swapPlayers() {
	for i := range r.Tags {
		switch t := &r.Tags[i]; t.Key {
		case "pw":
			t.Key = "pb"
		case "pb":
			t.Key = "pw"
		case "re":
			if v := t.Value; strings.HasPrefix(v, "W") {
				t.Value = "B" + v[1:]
			} else if strings.HasPrefix(v, "B") {
				t.Value = "W" + v[1:]
			}
		}
	}
}

// HGF returns the record as HGui writes it. It leaves out tags whose keys are not
// letters only.
func (r *Record) HGF() string {
	var text strings.Builder
	put := func(key, value string) {
		fmt.Fprintf(&text, "%s[%s]", key, strings.NewReplacer(`\`, `\\`, "]", `\]`, ":", `\:`).Replace(value))
	}
	text.WriteString("(;")
	put("FF", "4")
	put("GM", "Havannah")
	start := r.Board
	for start.Undo() {
	}
	put("SZ", strconv.Itoa(start.grid.Side))
	if r.Name != "" {
		put("GN", r.Name)
	}
	if int(start.empty) < start.grid.NumCells {
		for _, c := range []Colour{White, Black} {
			key := "A" + sgfColour(c)
			for cell, stone := range start.stones[:start.grid.NumCells] {
				if stone == c {
					put(key, start.grid.Format(Move(cell)))
					key = ""
				}
			}
		}
		put("PL", sgfColour(start.turn))
	}
	switch end := r.End(); end {
	case "open":
	case "draw":
		put("RE", "Draw")
	default:
		put("RE", map[string]string{"white": "W", "black": "B"}[r.Winner()]+"+"+end)
	}
	for _, t := range r.Tags {
		if strings.Trim(t.Key, "abcdefghijklmnopqrstuvwxyz") == "" {
			put(strings.ToUpper(t.Key), t.Value)
		}
	}
	turn := start.turn
	for _, p := range r.Board.moves[:r.Board.played] {
		text.WriteByte(';')
		put(sgfColour(turn), start.grid.Format(p.move))
		turn = turn.Other()
	}
	if r.Resigned != NoColour {
		text.WriteByte(';')
		put(sgfColour(r.Resigned), resignText)
	}
	text.WriteString(")")
	return text.String()
}

func sgfColour(c Colour) string { return strings.ToUpper(c.String()[:1]) }
