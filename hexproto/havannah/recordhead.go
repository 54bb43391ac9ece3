package havannah

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
