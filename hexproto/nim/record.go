package nim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrRecord is wrapped by every error about a record.
var ErrRecord = errors.New("broken record")

// String returns the game as one line of plain text:
//
//	heaps=1;3;5;7 play=misere max-take=3 winner=first plies=2 : 1:1 2:3
//
// Play is normal or misere. Max-take is left out if there is no limit, and winner
// before the end of the game.
func (b *Board) String() string {
	start := b.heaps
	for _, m := range b.moves[:b.played] {
		start = start.Put(m)
	}
	text := fmt.Appendf(nil, "heaps=%s play=%s", start.Format(b.NumHeaps(), ";"),
		map[bool]string{false: normalText, true: misereText}[b.rules.Misere])
	if b.rules.MaxTake != 0 {
		text = fmt.Appendf(text, " max-take=%d", b.rules.MaxTake)
	}
	if b.Over() {
		text = fmt.Appendf(text, " winner=%v", b.Winner())
	}
	text = fmt.Appendf(text, " plies=%d :", b.played)
	for _, m := range b.moves[:b.played] {
		text = append(append(text, ' '), m.String()...)
	}
	return string(text)
}

const (
	normalText = "normal"
	misereText = "misere"
)

// MarshalText returns String.
func (b *Board) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText sets the board to the end of a record's game. Only heaps is required;
// play is normal by default, and winner and plies must agree with the moves. Errors
// wrap ErrRecord and name the key, or the number of the move from 1. The board is
// unchanged then.
func (b *Board) UnmarshalText(text []byte) error {
	read, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRecord, err)
	}
	*b = *read
	return nil
}

// Parse parses a record as String returns it.
func Parse(record string) (*Board, error) {
	b := new(Board)
	if err := b.UnmarshalText([]byte(record)); err != nil {
		return nil, err
	}
	return b, nil
}

func parse(line string) (*Board, error) {
	var claims struct{ heaps, play, maxTake, winner, plies string }
	values := map[string]*string{
		"heaps": &claims.heaps, "play": &claims.play, "max-take": &claims.maxTake,
		"winner": &claims.winner, "plies": &claims.plies,
	}
	fields := strings.Fields(line)
	for ; ; fields = fields[1:] {
		if len(fields) == 0 {
			return nil, errors.New("no colon before the moves")
		}
		if fields[0] == ":" {
			break
		}
		key, text, ok := strings.Cut(fields[0], "=")
		value := values[key]
		switch {
		case !ok || text == "":
			return nil, fmt.Errorf("%q is not of the form key=value", fields[0])
		case value == nil:
			return nil, fmt.Errorf("%s: unknown key", key)
		case *value != "":
			return nil, fmt.Errorf("%s: given twice", key)
		}
		*value = text
	}
	b, err := start(claims.heaps, claims.play, claims.maxTake)
	if err != nil {
		return nil, err
	}
	for i, text := range fields[1:] {
		m, err := Colon.Parse(text)
		if err == nil {
			err = b.Play(m)
		}
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	for _, c := range []struct{ key, said, is string }{
		{"winner", claims.winner, b.Winner().String()}, {"plies", claims.plies, strconv.Itoa(b.NumMoves())},
	} {
		if c.said != "" && c.said != c.is {
			return nil, fmt.Errorf("%s=%s, but the moves make it %s", c.key, c.said, c.is)
		}
	}
	return b, nil
}

// start starts a record's game.
func start(heaps, play, maxTake string) (*Board, error) {
	h, numHeaps, err := ParseHeaps(heaps)
	if err != nil {
		return nil, err
	}
	r := Rules{Misere: play == misereText}
	if !r.Misere && play != "" && play != normalText {
		return nil, fmt.Errorf("play: %q is not %s or %s", play, normalText, misereText)
	}
	if maxTake != "" {
		if r.MaxTake, err = number(maxTake); err != nil {
			return nil, fmt.Errorf("max-take: %q is not a number from 0 to %d", maxTake, MaxSize)
		}
	}
	return Start(r, h, numHeaps)
}
