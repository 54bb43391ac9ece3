package havannah

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// gtpCommand matches the first of the commands that make a game in GTP.
var gtpCommand = regexp.MustCompile(`(?m)^\s*(?:\d+\s+)?boardsize\s`)

// ParseGames reads games in any of the forms in which programs write them: HGF (see [ParseHGF]), a session of GTP, or
// lines as [ParseRecord] reads them, with comments that begin with #. There is at least one. Errors wrap ErrRecord and
// name the line.
func ParseGames(text string) ([]*Record, error) {
	switch {
	case strings.HasPrefix(strings.TrimLeft(text, " \t\r\n\ufeff"), "("):
		return ParseHGF(text)
	case gtpCommand.MatchString(text):
		r, err := parseGTP(text)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrRecord, err)
		}
		return []*Record{r}, nil
	}
	var records []*Record
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		r, err := ParseRecord(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		records = append(records, r)
	}
	if records == nil {
		return nil, fmt.Errorf("%w: %w", ErrRecord, errEnd)
	}
	return records, nil
}

// parseGTP reads the last game of a session of GTP: what a controller sends, or a log that has the answers, too. Of
// the commands it reads boardsize, clear_board, play, undo, and genmove, whose move is in the answer.
func parseGTP(text string) (*Record, error) {
	r := &Record{}
	asked, number, side := "", 0, 0 // asked is the colour of a genmove whose answer is to come
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) > 1 && strings.Trim(words[0], "0123456789") == "" {
			words = words[1:] // the number of the command
		}
		if len(words) == 0 {
			continue
		}
		name, args := words[0], append(words[1:], "", "")
		var err error
		switch {
		case name[0] == '?':
			asked = ""
		case name[0] == '=':
			if asked != "" {
				err = r.playGTP(asked, words[len(words)-1])
			}
			asked = ""
		case name == "boardsize":
			if side, err = strconv.Atoi(args[0]); err == nil {
				err = r.clear(side)
			}
		case side == 0:
		case name == "clear_board":
			err = r.clear(side)
		case name == "play":
			err = r.playGTP(args[0], args[1])
		case name == "genmove":
			asked = args[0]
		case name == "undo" && !r.Board.Undo():
			err = errors.New("there is no move to take back")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return r, nil
}

// clear begins the game again.
func (r *Record) clear(side int) error {
	b, err := New(side)
	if err == nil {
		*r = Record{Board: *b}
	}
	return err
}

// playGTP makes a move of a colour, as GTP writes both, or resigns.
func (r *Record) playGTP(colour, move string) error {
	key := strings.ToUpper((colour + " ")[:1])
	if key != "W" && key != "B" {
		return fmt.Errorf("%q is no colour", colour)
	}
	return r.playHGF(HGui, property{key: key, values: []string{strings.ToLower(move)}})
}
