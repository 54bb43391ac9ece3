package history

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"gamebots/acpc"
)

// maxBetweenHands limits the bytes of scores and comments between two hands, which are
// held in memory.
const maxBetweenHands = 1 << 24

// LogReader reads the hands of a dealer's log.
type LogReader struct {
	name    string
	lines   *bufio.Reader
	game    *acpc.Game
	line    int
	next    *Hand // read but not returned: if it is the last, it gets the lines after it
	between []string
	bytes   int // size of between
	err     error
}

// NewLogReader returns a reader of a log; name is the file's, for errors. The log may
// come from the original dealer, so raises of short stacks that lower the bet are
// accepted in every game (see acpc.Game.UnderRaise).
func NewLogReader(r io.Reader, name string, g *acpc.Game) *LogReader {
	return &LogReader{name: name, lines: bufio.NewReaderSize(r, 1<<16), game: g}
}

// Next returns the next hand, or io.EOF. A log without hands is an error. The hands
// before an error are returned first.
func (r *LogReader) Next() (*Hand, error) {
	for r.err == nil {
		h, err := r.read()
		if err != nil {
			r.end(err)
			break
		}
		last := r.next
		if r.next = h; last != nil {
			return last, nil
		}
	}
	if h := r.next; h != nil {
		r.next = nil
		return h, nil
	}
	return nil, r.err
}

// end ends the reading with an error, or with io.EOF after the last hand.
func (r *LogReader) end(err error) {
	r.err = err
	switch {
	case err != io.EOF:
	case r.next != nil:
		r.next.After, r.between = r.between, nil
	case r.line == 0:
		r.err = fmt.Errorf("%s: empty", r.name)
	default:
		r.err = fmt.Errorf("%s: no hand, which is a line that begins with STATE", r.name)
	}
}

// read returns the next hand with the lines before it.
func (r *LogReader) read() (*Hand, error) {
	for {
		line, err := acpc.ReadLine(r.lines)
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s:%d: %w", r.name, r.line+1, err)
		}
		if line == "" {
			return nil, err
		}
		r.line++
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "STATE:"):
			h, err := r.hand(line)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", r.name, r.line, err)
			}
			if err := h.checkWinnings(); err != nil {
				h.Doubt = fmt.Sprintf("%s:%d: %v", r.name, r.line, err)
			}
			h.Before, r.between, r.bytes = r.between, nil, 0
			return h, nil
		case isBetweenHands(line):
			if r.bytes += len(line) + 1; r.bytes > maxBetweenHands {
				return nil, fmt.Errorf("%s:%d: more than %d bytes without a hand", r.name, r.line, maxBetweenHands)
			}
			r.between = append(r.between, line)
		default:
			return nil, fmt.Errorf("%s:%d: %.40q is not a hand, score or comment of a dealer's log",
				r.name, r.line, line)
		}
	}
}

// isBetweenHands reports whether a line is one that a log may have between hands.
func isBetweenHands(line string) bool {
	return strings.HasPrefix(line, "SCORE:") || strings.HasPrefix(line, "#") || strings.TrimSpace(line) == ""
}

func (r *LogReader) hand(line string) (*Hand, error) {
	h, err := ParseLog(r.game, strings.TrimSuffix(line, "\r"))
	if err == nil && strings.HasSuffix(line, "\r") {
		h.Line = line
	}
	return h, err
}

// ParseLog reads the line of a hand, such as "STATE:0:rc:Qs|As:-2|2:Alice|Bob".
func ParseLog(g *acpc.Game, line string) (*Hand, error) {
	s, values, names, err := g.ParseResult(line)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.ContainsAny(name, "\r\n") { // PHH could not give it back
			return nil, fmt.Errorf("the name %q has an end of line in it", name)
		}
	}
	h := &Hand{State: s, Names: names, Values: values}
	if err := h.readHidden(line); err != nil {
		return nil, err
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if !h.showsAll() {
		// Without the cards the values are known from the line only.
		if line != string(h.appendResult(nil)) {
			h.Line = line
		}
		return h, nil
	}
	exact := s.Values()
	h.Values = exact[:g.NumPlayers]
	if line != string(h.appendResult(nil)) {
		h.Values, h.Line = values, line
	}
	return h, nil
}

// readHidden marks the hole cards that a line leaves out.
func (h *Hand) readHidden(line string) error {
	fields := strings.SplitN(line, ":", 5)
	if len(fields) < 5 {
		return errors.New("the line lacks a field")
	}
	g := h.Game()
	holes, _, _ := strings.Cut(fields[3], "/")
	fields = strings.Split(holes, "|")
	if len(fields) != g.NumPlayers {
		return fmt.Errorf("the hole cards of %d players, not %d", len(fields), g.NumPlayers)
	}
	for p, hole := range fields {
		h.Hidden[p] = hole == ""
	}
	return nil
}

// showsAll reports whether the hand's values follow from its cards.
func (h *Hand) showsAll() bool {
	for p := range h.Game().NumPlayers {
		if h.Hidden[p] && h.AtShowdown() && !h.Folded(p) {
			return false
		}
	}
	return true
}
