package acpc

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc/hand"
)

// GameError is an error in a game definition. Msg is the original server's message if it
// has one for the error.
type GameError struct {
	File string
	Line int // from 1; 0 where the key is missing
	Key  string
	Msg  string
}

func (e *GameError) Error() string { return location(e.File, e.Line, e.Key) + e.Msg }

// Warning is about a part of a definition that is read in another way than its author may
// expect, or that makes the original server hang, abort or misbehave.
type Warning struct {
	File string
	Line int // from 1; 0 where it is about a missing key
	Key  string
	Msg  string
}

func (w Warning) String() string { return location(w.File, w.Line, w.Key) + w.Msg }

func location(file string, line int, key string) string {
	if line > 0 {
		file = fmt.Sprintf("%s:%d", file, line)
	}
	if key != "" {
		// An unknown key may have control characters.
		if quoted := strconv.Quote(key); len(quoted) > len(key)+2 {
			key = quoted
		}
		key += ": "
	}
	return file + ": " + key
}

// ParseGame reads a game definition for play; name is the file's, for Game.Name and for
// errors, which are all a *GameError. It refuses the definitions that the original
// server refuses, those that it misreads, and those that cannot be played.
func ParseGame(name, text string) (*Game, error) {
	r := readDefinition(name, text)
	return r.result(r.err, r.misread, r.unplayable)
}

// ParseOriginal reads the game that the original server would play, with its misreadings
// and with UnderRaise.
func ParseOriginal(name, text string) (*Game, error) {
	r := readDefinition(name, text)
	r.game.UnderRaise = true
	if r.game.Betting == overwritten {
		r.game.Betting = Limit // as it plays, if not as it prints
	}
	return r.result(r.err, r.unplayable)
}

// CheckGame reads a definition as the original server reads and prints it, with warnings:
// first of lines that are ignored or misread, then of rules that fail in play. It refuses
// only the definitions that the original refuses, so the game is for display: ParseGame
// and ParseOriginal may refuse it.
func CheckGame(name, text string) (*Game, []Warning, error) {
	r := readDefinition(name, text)
	if r.unlisted > 0 {
		r.warnings = append(r.warnings, Warning{File: r.file, Msg: fmt.Sprintf("%d more warnings", r.unlisted)})
	}
	g, err := r.result(r.err)
	return g, r.warnings, err
}

// gameReader reads one definition. Players in game.FirstPlayer count from 1
// until check has passed them.
type gameReader struct {
	file     string
	line     int
	game     Game
	read     map[string]readKey // what was read, by its name in gameKeys
	warnings []Warning
	unlisted int // warnings over maxWarnings

	// The first reasons why the original refuses the definition, why it misreads it,
	// and why the game cannot be played.
	err, misread, unplayable error
}

// readDefinition reads a definition and finds all errors and warnings.
func readDefinition(name, text string) *gameReader {
	r := &gameReader{file: name, read: map[string]readKey{}}
	r.game.Name = strings.TrimSuffix(filepath.Base(name), ".game")
	for p := range r.game.Stack {
		r.game.Stack[p] = NoStackLimit
	}
	for i := range MaxRounds {
		r.game.FirstPlayer[i] = 1
		r.game.MaxRaises[i] = NoRaiseLimit
	}
	r.lines(text)
	r.check()
	if r.err == nil {
		r.dangers()
	}
	return r
}

// result returns the game, or the first of the errors that is not nil.
func (r *gameReader) result(reasons ...error) (*Game, error) {
	if err := cmp.Or(reasons...); err != nil {
		return nil, err
	}
	return &r.game, nil
}

// readKey has the line on which a key was last read, and its number of values.
type readKey struct{ line, values int }

// The line that ends a definition, and the one that begins it.
const (
	endKey   = "END GAMEDEF"
	beginKey = "GAMEDEF"
)

// gameKeys are the keys in the original's order of comparison: a line belongs to the first
// key that it begins with, in either case. read takes the text after the key and returns
// the number of values in it and the rest.
var gameKeys = []struct {
	name string
	read func(r *gameReader, text string) (values int, rest string)
}{
	{beginKey, func(r *gameReader, text string) (int, string) { return 0, text }},
	{"stack", func(r *gameReader, text string) (int, string) { return items(r, text, r.game.Stack[:], scanChips) }},
	{"blind", func(r *gameReader, text string) (int, string) { return items(r, text, r.game.Blind[:], scanChips) }},
	{"raiseSize", (*gameReader).raiseSize},
	{"limit", func(r *gameReader, text string) (int, string) { r.game.Betting = Limit; return 0, text }},
	{"nolimit", func(r *gameReader, text string) (int, string) { r.game.Betting = NoLimit; return 0, text }},
	{"numPlayers", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumPlayers) }},
	{"numRounds", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumRounds) }},
	{"firstPlayer", func(r *gameReader, text string) (int, string) {
		return items(r, text, r.game.FirstPlayer[:], scanCount)
	}},
	{"maxRaises", func(r *gameReader, text string) (int, string) {
		return items(r, text, r.game.MaxRaises[:], scanCount)
	}},
	{"numSuits", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumSuits) }},
	{"numRanks", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumRanks) }},
	{"numHoleCards", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumHoleCards) }},
	{"numBoardCards", func(r *gameReader, text string) (int, string) {
		return items(r, text, r.game.NumBoardCards[:], scanCount)
	}},
	{"handRanking", (*gameReader).handRanking},
}

// lines reads up to END GAMEDEF or the end of the text.
func (r *gameReader) lines(text string) {
	ended := false
	for r.line = 1; text != ""; {
		line := text
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		if len(line) > MaxLine {
			line = line[:MaxLine]
			r.warn("", "the line is longer than %d bytes: the rest counts as another line", MaxLine)
		}
		text = text[len(line):]
		content, _, _ := strings.Cut(line, "\x00") // the end of a C string
		blank := strings.TrimSpace(content) == "" || content[0] == '#'
		switch {
		case ended && !blank:
			r.warn("", "text after %s is not read", endKey)
			return
		case hasPrefixFold(content, endKey):
			ended = true
			r.leftOver(endKey, content[len(endKey):])
		case !blank:
			r.key(content)
		}
		if strings.HasSuffix(line, "\n") {
			r.line++
		}
	}
}

// key reads a line that is neither a comment nor blank.
func (r *gameReader) key(line string) {
	for _, k := range gameKeys {
		if !hasPrefixFold(line, k.name) {
			continue
		}
		slot := strings.TrimPrefix(k.name, "no") // limit and nolimit share one
		if earlier, ok := r.read[slot]; ok {
			r.warn(k.name, "overrides line %d", earlier.line)
		}
		values, rest := k.read(r, line[len(k.name):])
		r.read[slot] = readKey{r.line, values}
		r.leftOver(k.name, rest)
		return
	}
	r.unknown(line)
}

// items reads the numbers at the start of text into dst, as many as fit, and returns
// their number and the rest of the text.
func items[T int32 | uint8](r *gameReader, text string, dst []T, scan func(string) T) (int, string) {
	for i := range dst {
		text = strings.TrimLeft(text, " \t\n\v\f\r=")
		written, n := scanInt(text)
		if n == 0 {
			return i, text
		}
		dst[i] = scan(text)
		if int64(dst[i]) != written {
			r.warn("", "%s is read as %d", excerpt(text[:n]), dst[i])
		}
		text = text[n:]
	}
	return len(dst), text
}

// scanChips and scanCount read the two types of numbers, which wrap as in C.
func scanChips(text string) int32 { v, _ := scanInt(text); return int32(v) }
func scanCount(text string) uint8 { v, _ := ScanUint(text); return uint8(v) }

// item is items for a key with one value.
func item(r *gameReader, text string, dst *int) (int, string) {
	v := []uint8{uint8(*dst)}
	n, rest := items(r, text, v, scanCount)
	*dst = int(v[0])
	return n, rest
}

// handRanking reads the key of this package, which the original ignores.
func (r *gameReader) handRanking(text string) (int, string) {
	r.warn("handRanking", "the original server ignores this key")
	fields := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\r\n=", c) })
	if len(fields) == 0 {
		fields = []string{""}
	}
	ranking, err := hand.ParseRanking(fields[0])
	if err != nil {
		r.fail("handRanking", r.line, "%v", err)
		return 0, ""
	}
	r.game.HandRanking = ranking
	return 1, strings.Join(fields[1:], " ")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// String returns the definition as the original server prints it; ParseGame reads it back
// as the same game. A hand ranking other than the original's adds a line.
func (g *Game) String() string {
	var b strings.Builder
	line := func(key string, values any) {
		// A slice prints as [1 2].
		fmt.Fprintf(&b, "%s = %s\n", key, strings.Trim(fmt.Sprint(values), "[]"))
	}
	players, rounds := g.NumPlayers, g.NumRounds
	fmt.Fprintln(&b, beginKey)
	fmt.Fprintln(&b, g.Betting)
	line("numPlayers", players)
	line("numRounds", rounds)
	if slices.ContainsFunc(g.Stack[:players], func(v int32) bool { return v < NoStackLimit }) {
		line("stack", g.Stack[:players])
	}
	line("blind", g.Blind[:players])
	if g.Betting == Limit {
		line("raiseSize", g.RaiseSize[:rounds])
	}
	first := g.FirstPlayer
	for i := range first {
		first[i]++
	}
	if slices.ContainsFunc(first[:rounds], func(v uint8) bool { return v != 1 }) {
		line("firstPlayer", first[:rounds])
	}
	if slices.ContainsFunc(g.MaxRaises[:rounds], func(v uint8) bool { return v != NoRaiseLimit }) {
		line("maxRaises", g.MaxRaises[:rounds])
	}
	line("numSuits", g.NumSuits)
	line("numRanks", g.NumRanks)
	line("numHoleCards", g.NumHoleCards)
	line("numBoardCards", g.NumBoardCards[:rounds])
	if g.HandRanking != 0 {
		line("handRanking", g.HandRanking)
	}
	fmt.Fprintln(&b, endKey)
	return b.String()
}

// String returns "limit" or "nolimit".
func (b Betting) String() string {
	if b == NoLimit {
		return "nolimit"
	}
	return "limit"
}
