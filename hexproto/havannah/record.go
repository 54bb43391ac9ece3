package havannah

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Record is a game with its name, its end and its tags.
type Record struct {
	Name     string
	Board    Board  // after the last move
	Resigned Colour // the player who resigned, or NoColour
	Tags     []Tag
}

// Tag is a remark on a game. Its key is that of SGF in lower case if there is one: pw
// and pb for the players, ev for the event.
type Tag struct{ Key, Value string }

// ErrRecord is wrapped by every error of a broken record.
var ErrRecord = errors.New("broken record")

const (
	resignText = "resign"
	unknown    = "unknown"
)

// End returns how the game ended: the names of its structures, "draw", "resign", or
// "open" if it has not ended.
func (r *Record) End() string {
	switch {
	case r.Resigned != NoColour:
		return resignText
	case r.Board.Won() != 0:
		return r.Board.Won().String()
	case r.Board.Over():
		return "draw"
	}
	return "open"
}

// Winner returns "white", "black" or "draw", or "unknown" for an open game.
func (r *Record) Winner() string {
	switch end := r.End(); end {
	case resignText:
		return r.Resigned.Other().String()
	case "draw":
		return end
	case "open":
		return unknown
	}
	return r.Board.Winner().String()
}

// Tag returns the value of a key, or "".
func (r *Record) Tag(key string) string {
	if i := slices.IndexFunc(r.Tags, func(t Tag) bool { return t.Key == key }); i >= 0 {
		return r.Tags[i].Value
	}
	return ""
}

// String returns the record as one line of plain text:
//
//	NAME side=4 winner=white end=fork plies=11 : b2 c3 c2 …
//
// A setup adds aw= and ab= (stones, separated by commas) and pl= (the player to move).
// Then come the tags; a value with spaces is quoted as in Go. A resignation is the
// last of the moves and counts as a ply.
func (r *Record) String() string {
	var text []byte
	if r.Name != "" {
		text = append(quoted(text, r.Name), ' ')
	}
	text = r.Board.appendHead(text)
	plies := r.Board.NumMoves()
	if r.Resigned != NoColour {
		plies++
	}
	text = fmt.Appendf(text, " winner=%s end=%s plies=%d", r.Winner(), r.End(), plies)
	for _, tag := range r.Tags {
		text = append(text, ' ')
		text = append(text, tag.Key...)
		text = quoted(append(text, '='), tag.Value)
	}
	text = r.Board.appendGame(append(text, " :"...))
	if r.Resigned != NoColour {
		text = append(text, ' ')
		text = append(text, resignText...)
	}
	return string(text)
}

// String returns the game as a record without name, tags and result, which ParseRecord
// reads.
func (b *Board) String() string {
	return string(b.appendGame(append(b.appendHead(nil), " :"...)))
}

// MarshalText returns String.
func (b *Board) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText sets the board to the end of a record's game.
func (b *Board) UnmarshalText(text []byte) error {
	r, err := ParseRecord(string(text))
	if err == nil {
		*b = r.Board
	}
	return err
}

// appendHead appends the side, and the setup where there was one.
func (b *Board) appendHead(text []byte) []byte {
	text = fmt.Appendf(text, "side=%d", b.grid.Side)
	start := *b
	for start.Undo() {
	}
	if int(start.empty) == b.grid.NumCells {
		return text
	}
	for _, c := range []Colour{White, Black} {
		sep := fmt.Sprintf(" a%c=", c.String()[0])
		for cell, stone := range start.stones[:b.grid.NumCells] {
			if stone == c {
				text = append(append(text, sep...), b.grid.Format(Move(cell))...)
				sep = ","
			}
		}
	}
	return fmt.Appendf(text, " pl=%v", start.turn)
}

func (b *Board) appendGame(text []byte) []byte {
	for _, p := range b.moves[:b.played] {
		text = append(append(text, ' '), b.grid.Format(p.move)...)
	}
	return text
}

// quoted appends a word of a record's head.
func quoted(text []byte, word string) []byte {
	if word == "" || word[0] == ':' || strings.ContainsAny(word, "= \t\r\n\"") || !strconv.CanBackquote(word) ||
		strings.Contains(word, "`") {
		return strconv.AppendQuote(text, word)
	}
	return append(text, word...)
}

// ParsePosition parses the position of a record in which the game is not over: the error is [ErrOver], or that of
// ParseRecord.
func ParsePosition(text string) (*Board, error) {
	r, err := ParseRecord(text)
	switch {
	case err != nil:
		return nil, err
	case r.Resigned != NoColour:
		return nil, errors.New("the game was resigned")
	case r.Board.Over():
		return nil, ErrOver
	}
	return &r.Board, nil
}

// ParseRecord parses a record as String writes it, or a position: of the head only
// side= is required. Unknown keys become tags. A result in the head must agree with the
// moves; it may leave the winner open. Errors wrap ErrRecord and name the key, or the
// number of the move from 1.
func ParseRecord(line string) (*Record, error) {
	r, err := parseRecord(line)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecord, err)
	}
	return r, nil
}

func parseRecord(line string) (*Record, error) {
	r := &Record{}
	head, moves, err := r.parseHead(line)
	if err != nil {
		return nil, err
	}
	b, err := head.setup(HGui)
	if err != nil {
		return nil, err
	}
	r.Board = *b
	fields := strings.Fields(moves)
	if n := len(fields); n > 0 && fields[n-1] == resignText {
		if err := r.Board.PlayAll(HGui, fields[:n-1]); err != nil {
			return nil, err
		}
		if r.Board.Over() {
			return nil, fmt.Errorf("move %d: resignation: %w", n, ErrOver)
		}
		r.Resigned = r.Board.turn
	} else if err := r.Board.PlayAll(HGui, fields); err != nil {
		return nil, err
	}
	for _, claim := range []struct{ key, is string }{
		{"winner", r.Winner()}, {"end", r.End()}, {"plies", strconv.Itoa(len(fields))},
	} {
		said, ok := head[claim.key]
		if ok && said != claim.is && (claim.key != "winner" || said != unknown && said != "none") {
			return nil, fmt.Errorf("%s=%s, but the moves make it %s", claim.key, said, claim.is)
		}
	}
	return r, nil
}
