package acpc

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// AppendResult appends the log line of a finished hand: the hand with all hole
// cards, what each position won, and the players' names by position, such as
// "STATE:0:rc:Qs|As:-2|2:Alice|Bob".
func (s *State) AppendResult(dst []byte, names []string) []byte {
	dst = s.Append(dst)
	values := s.Values()
	return AppendScores(dst, values[:s.game.NumPlayers], names)
}

// LogTitle begins the header of a log: the name, game, hands and seed of its match follow.
const LogTitle = "# name/game/hands/seed "

// NoSeed is in the header of a log, in place of the seed, if the log is of what one player saw
// of a match.
const NoSeed = "unknown"

// ParseLogTitle reads the first line of a match's log, and reports whether it is one. The
// match's name may have blanks.
func ParseLogTitle(line string) (match, game, hands, seed string, ok bool) {
	rest, ok := strings.CutPrefix(line, LogTitle)
	fields := strings.Split(rest, " ")
	n := len(fields)
	if !ok || n < 4 {
		return "", "", "", "", false
	}
	return strings.Join(fields[:n-3], " "), fields[n-3], fields[n-2], fields[n-1], true
}

// AppendScore appends the last line of a match, the chips that each seat won,
// such as "SCORE:-685|685:Alice|Bob".
func AppendScore(dst []byte, values []float64, names []string) []byte {
	return AppendScores(append(dst, "SCORE"...), values, names)
}

// AppendScores appends the end of both lines: the chips won and the names, such as
// ":-685|685:Alice|Bob".
func AppendScores(dst []byte, values []float64, names []string) []byte {
	for i, v := range values {
		dst = append(dst, separator(i))
		dst = AppendValue(dst, v)
	}
	for i, name := range names {
		dst = append(dst, separator(i))
		dst = append(dst, name...)
	}
	return dst
}

func separator(i int) byte {
	if i == 0 {
		return ':'
	}
	return '|'
}

// AppendValue appends an amount of chips as in a log, with up to six decimals.
func AppendValue(dst []byte, v float64) []byte {
	dst = strconv.AppendFloat(dst, v, 'f', 6, 64)
	return bytes.TrimRight(bytes.TrimRight(dst, "0"), ".")
}

// mostChips is more than all stacks hold, and what 64 bits count even after they are added.
const mostChips = 1 << 60

// ParseResult reads a line that AppendResult wrote, without an end of line:
// the hand, and the values and names by position as the line states them.
func (g *Game) ParseResult(line string) (s State, values []float64, names []string, err error) {
	s, n, err := g.ParseState(line)
	if err != nil {
		return State{}, nil, nil, err
	}
	// A name may hold a colon, so only the first one after the values counts.
	rest, found := strings.CutPrefix(line[n:], ":")
	valueText, nameText, more := strings.Cut(rest, ":")
	if !found || !more {
		return State{}, nil, nil, fmt.Errorf("result, byte %d: no \":values:names\"", n+1)
	}
	for field := range strings.SplitSeq(valueText, "|") {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || !(math.Abs(v) <= mostChips) {
			return State{}, nil, nil, fmt.Errorf("result: value %q is not a number of chips", field)
		}
		values = append(values, v)
	}
	names = strings.Split(nameText, "|")
	if len(values) != g.NumPlayers || len(names) != g.NumPlayers {
		return State{}, nil, nil, fmt.Errorf("result: %d values and %d names for %d players",
			len(values), len(names), g.NumPlayers)
	}
	return s, values, names, nil
}
