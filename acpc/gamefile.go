package acpc

import (
	"fmt"
	"path/filepath"
	"strings"

	"gamebots/acpc/hand"
)

// GameError says why a text is no game definition. Msg is what the original
// server prints, word for word, where it has an error for it.
type GameError struct {
	File string
	Line int // from 1; 0 where the key is missing
	Key  string
	Msg  string
}

func (e *GameError) Error() string { return place(e.File, e.Line, e.Key) + e.Msg }

// Warning is about a definition that is read, but not as its author may think,
// or that makes the original server hang, abort or misbehave.
type Warning struct {
	File string
	Line int // from 1; 0 where it is about a missing key
	Key  string
	Msg  string
	// Misread says that the game read is not the game written, by a fault of
	// the original server that is repeated here.
	Misread bool
}

func (w Warning) String() string { return place(w.File, w.Line, w.Key) + w.Msg }

func place(file string, line int, key string) string {
	if line > 0 {
		file = fmt.Sprintf("%s:%d", file, line)
	}
	if key != "" {
		key += ": "
	}
	return file + ": " + key
}

// ParseGame reads a game definition as the original server reads it; name is
// the file's, for Game.Name and for errors, which are all a *GameError.
func ParseGame(name, text string) (*Game, error) {
	g, _, err := CheckGame(name, text)
	return g, err
}

// CheckGame is ParseGame that also tells what to beware of: first what is
// ignored or misread, line by line, then what goes wrong at play.
func CheckGame(name, text string) (*Game, []Warning, error) {
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
	if r.err != nil {
		return nil, r.warnings, r.err
	}
	r.dangers()
	return &r.game, r.warnings, nil
}

// gameReader reads one definition. Players in game.FirstPlayer count from 1
// until check has passed them.
type gameReader struct {
	file     string
	line     int
	game     Game
	read     map[string]readKey // by name as in gameKeys
	warnings []Warning
	err      error // the first
}

// readKey is where a key was last read and how many values it then had.
type readKey struct{ line, values int }

// The line that ends a definition, and the one that begins it.
const (
	endKey   = "END GAMEDEF"
	beginKey = "GAMEDEF"
)

// gameKeys are the keys in the original's order of comparison: a line belongs
// to the first key that it begins with, in either case. Each reads the text
// after its key and returns how many values it took and what it left.
var gameKeys = []struct {
	name string
	read func(r *gameReader, text string) (values int, rest string)
}{
	{beginKey, func(r *gameReader, text string) (int, string) { return 0, text }},
	{"stack", func(r *gameReader, text string) (int, string) { return items(r, text, r.game.Stack[:]) }},
	{"blind", func(r *gameReader, text string) (int, string) { return items(r, text, r.game.Blind[:]) }},
	{"raiseSize", (*gameReader).raiseSize},
	{"limit", func(r *gameReader, text string) (int, string) { r.game.Betting = Limit; return 0, text }},
	{"nolimit", func(r *gameReader, text string) (int, string) { r.game.Betting = NoLimit; return 0, text }},
	{"numPlayers", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumPlayers) }},
	{"numRounds", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumRounds) }},
	{"firstPlayer", func(r *gameReader, text string) (int, string) { return items(r, text, r.game.FirstPlayer[:]) }},
	{"maxRaises", func(r *gameReader, text string) (int, string) { return items(r, text, r.game.MaxRaises[:]) }},
	{"numSuits", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumSuits) }},
	{"numRanks", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumRanks) }},
	{"numHoleCards", func(r *gameReader, text string) (int, string) { return item(r, text, &r.game.NumHoleCards) }},
	{"numBoardCards", func(r *gameReader, text string) (int, string) { return items(r, text, r.game.NumBoardCards[:]) }},
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

// items reads the numbers at the start of text into dst, as many as fit, and
// returns how many there were and what follows them. Values wrap as in C.
func items[T int32 | uint8](r *gameReader, text string, dst []T) (int, string) {
	for i := range dst {
		text = strings.TrimLeft(text, " \t\n\v\f\r=")
		v, n := scanInt(text)
		if n == 0 {
			return i, text
		}
		dst[i] = T(v)
		if int64(dst[i]) != v {
			r.warn("", "%s is read as %d", text[:n], dst[i])
		}
		text = text[n:]
	}
	return len(dst), text
}

// item is items for a key with one value.
func item(r *gameReader, text string, dst *int) (int, string) {
	v := []uint8{uint8(*dst)}
	n, rest := items(r, text, v)
	*dst = int(v[0])
	return n, rest
}

// raiseSize reads the raise sizes. The original writes a fifth one over the
// kind of betting, and further ones over what it has read before.
func (r *gameReader) raiseSize(text string) (int, string) {
	var sizes [MaxPlayers]int32
	n, rest := items(r, text, sizes[:])
	copy(r.game.RaiseSize[:], sizes[:min(n, MaxRounds)])
	if n > MaxRounds {
		betting := Betting(sizes[MaxRounds])
		if n > MaxRounds+1 || int32(betting) != sizes[MaxRounds] || betting > NoLimit {
			r.fail("raiseSize", r.line, "%d raise sizes, at most %d fit", n, MaxRounds)
			return n, rest
		}
		r.warn("raiseSize", "the fifth raise size makes this a %v game", betting)
		r.warnings[len(r.warnings)-1].Misread = betting != r.game.Betting
		r.game.Betting = betting
	}
	return n, rest
}

// handRanking reads our own key, which the original does not know.
func (r *gameReader) handRanking(text string) (int, string) {
	r.warn("handRanking", "the original server ignores this key")
	fields := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\r\n=", c) })
	for i, name := range handRankings {
		if len(fields) > 0 && strings.EqualFold(fields[0], name) {
			r.game.HandRanking = hand.Ranking(i)
			return 1, strings.Join(fields[1:], " ")
		}
	}
	r.fail("handRanking", r.line, "%q is none of %s", strings.Join(fields, " "), strings.Join(handRankings[:], ", "))
	return 0, ""
}

// handRankings are the names of the hand.Ranking values.
var handRankings = [...]string{hand.ACPC: "acpc", hand.ThreeCard: "threeCard"}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
