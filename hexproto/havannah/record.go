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
	if word == "" || word[0] == ':' || strings.ContainsAny(word, "= \t\r\n\"") || !strconv.CanBackquote(word) {
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

// head has the values of a record's head that are not tags.
type head map[string]string

var headKeys = []string{"side", "aw", "ab", "pl", "winner", "end", "plies"}

// parseHead reads a record up to its moves, which it returns.
func (r *Record) parseHead(line string) (h head, moves string, err error) {
	h = head{}
	rest := strings.TrimSpace(line)
	for first := true; ; first = false {
		if rest == "" {
			return nil, "", errors.New("no colon before the moves")
		}
		if after, ok := strings.CutPrefix(rest, ":"); ok {
			return h, after, nil
		}
		word, isQuoted, after, err := cutWord(rest)
		if err != nil {
			return nil, "", err
		}
		value, isKey := strings.CutPrefix(after, "=")
		switch {
		case isKey && (isQuoted || word == ""):
			return nil, "", fmt.Errorf("no key before %q", after)
		case !isKey && first:
			r.Name, rest = word, strings.TrimLeft(after, " \t")
			continue
		case !isKey:
			return nil, "", fmt.Errorf("%q is not of the form key=value", word)
		}
		key := word
		if word, _, after, err = cutWord(value); err != nil {
			return nil, "", fmt.Errorf("%s: %w", key, err)
		}
		if strings.HasPrefix(after, "=") {
			return nil, "", fmt.Errorf("%s: %q needs quotes", key, value)
		}
		switch _, twice := h[key]; {
		case twice || r.hasTag(key):
			return nil, "", fmt.Errorf("%s: given twice", key)
		case slices.Contains(headKeys, key):
			h[key] = word
		default:
			r.Tags = append(r.Tags, Tag{key, word})
		}
		rest = strings.TrimLeft(after, " \t")
	}
}

func (r *Record) hasTag(key string) bool {
	return slices.ContainsFunc(r.Tags, func(t Tag) bool { return t.Key == key })
}

// cutWord cuts off the first word, in quotes or up to a space or an equals sign.
func cutWord(text string) (word string, isQuoted bool, rest string, err error) {
	if strings.HasPrefix(text, `"`) {
		quote, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", true, "", fmt.Errorf("bad quotes in %s", text)
		}
		word, err = strconv.Unquote(quote)
		return word, true, text[len(quote):], err
	}
	end := strings.IndexAny(text, "= \t")
	if end < 0 {
		end = len(text)
	}
	return text[:end], false, text[end:], nil
}

// setup returns the board that a record starts from.
func (h head) setup(n Notation) (*Board, error) {
	text, ok := h["side"]
	if !ok {
		return nil, errors.New("side: missing")
	}
	side, err := number(text)
	if err != nil {
		return nil, fmt.Errorf("side: %q is not a number from %d to %d", text, MinSide, MaxSide)
	}
	g, err := GridOf(side)
	if err != nil {
		return nil, err
	}
	white, err := h.stones(g, n, "aw")
	if err != nil {
		return nil, err
	}
	black, err := h.stones(g, n, "ab")
	if err != nil {
		return nil, err
	}
	switch turn := h["pl"]; {
	case turn == White.String() || turn == "" && len(white)+len(black) == 0:
		return Setup(side, white, black, White)
	case turn == Black.String():
		return Setup(side, white, black, Black)
	case turn == "":
		return nil, errors.New("pl: missing: with stones it has to be said who is to move")
	default:
		return nil, fmt.Errorf("pl: %q is not white or black", turn)
	}
}

func (h head) stones(g *Grid, n Notation, key string) ([]Move, error) {
	var stones []Move
	text, ok := h[key]
	if !ok {
		return nil, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		m, err := g.parse(n, name)
		if err == nil && m == Swap {
			err = ErrSwap
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		stones = append(stones, m)
	}
	return stones, nil
}
