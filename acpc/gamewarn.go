package acpc

import (
	"fmt"
	"strings"

	"gamebots/internal/usererr"
)

// maxWarnings limits the warnings of one definition: a file that is not a definition would
// get one for every line.
const maxWarnings = 50

// warn adds a warning about the line being read.
func (r *gameReader) warn(key, format string, args ...any) {
	r.beware(nil, Warning{r.file, r.line, key, fmt.Sprintf(format, args...)})
}

// warnOf adds a warning about a key that was read before.
func (r *gameReader) warnOf(key, format string, args ...any) {
	r.beware(nil, Warning{r.file, r.read[key].line, key, fmt.Sprintf(format, args...)})
}

// beware adds a warning, and makes it the reason to refuse the game if there is none yet.
func (r *gameReader) beware(reason *error, w Warning) {
	if reason != nil && *reason == nil {
		e := GameError(w)
		*reason = &e
	}
	if len(r.warnings) == maxWarnings {
		r.unlisted++
		return
	}
	r.warnings = append(r.warnings, w)
}

// excerpt shortens a text for a message.
func excerpt(text string) string {
	const maxLen = 40
	if len(text) > maxLen {
		return text[:maxLen] + "..."
	}
	return text
}

// leftOver warns of text behind the values of a key.
func (r *gameReader) leftOver(key, text string) {
	if text = strings.TrimSpace(text); text != "" && text[0] != '#' {
		r.warn(key, "%q is not read", excerpt(text))
	}
}

// unknown warns of a line that begins with no key.
func (r *gameReader) unknown(line string) {
	key, _, _ := strings.Cut(strings.TrimSpace(line), "=")
	key = excerpt(strings.TrimRight(key, " \t-+,.0123456789"))
	names := []string{endKey}
	for _, k := range gameKeys {
		names = append(names, k.name)
	}
	if known, distance := usererr.Word(key, names); distance == 0 {
		r.warn(known, "the line is ignored: it begins with a blank")
	} else if distance <= len(known)/2 {
		r.warn(key, "unknown key, the line is ignored: %s is meant?", known)
	} else {
		r.warn(key, "unknown key, the line is ignored")
	}
}

// dangers warns of rules that are legal and fail in play.
func (r *gameReader) dangers() {
	g := &r.game
	r.counts()
	blinds, stacks := g.Blind[:g.NumPlayers], g.Stack[:g.NumPlayers]
	if g.MaxBlind() == 0 {
		r.warnOf("blind", "nobody has to put chips in: the original server aborts when all check")
	}
	allIn, unequal := true, false
	for p, blind := range blinds {
		if blind < 0 {
			r.warnOf("blind", "the blind of player %d is negative", p+1)
		}
		allIn = allIn && blind == stacks[p]
		unequal = unequal || stacks[p] != stacks[0]
	}
	if allIn {
		r.warnOf("stack", "all players are all-in from the blinds: the original server hangs, "+
			"here the hand is over at once")
	}
	switch {
	case g.Betting == Limit && unequal:
		r.warnOf("stack", "stacks differ in a limit game: in the original server the raise of a short stack "+
			"lowers the bet and chips may vanish, here it is not legal")
	case g.Betting == NoLimit && stacks[0] == NoStackLimit:
		r.warnOf("stack", "a no-limit game without stacks: raises up to %d chips are legal", NoStackLimit)
	}
	if g.Betting == Limit {
		for i, size := range g.RaiseSize[:g.NumRounds] {
			if size <= 0 {
				r.warnOf("raiseSize", "a raise in round %d adds %d chips", i+1, size)
			}
		}
	}
	if board := g.BoardCards(g.NumRounds - 1); board > MaxBoardCards {
		r.beware(&r.unplayable, Warning{r.file, r.read["numBoardCards"].line, "numBoardCards", fmt.Sprintf(
			"%d board cards, at most %d fit: the original server writes the others over its memory, "+
				"here the game is not played", board, MaxBoardCards)})
	}
	if g.NumBoardCards[0] > 0 {
		r.warnOf("numBoardCards", "board cards in the first round look like hole cards in a match state: "+
			"only the last player can read it")
	}
}

// counts warns of lists that have more or fewer values than players or rounds.
func (r *gameReader) counts() {
	g := &r.game
	for _, list := range []struct {
		key  string
		want int
		what string
	}{
		{"stack", g.NumPlayers, "players"},
		{"blind", g.NumPlayers, "players"},
		{"raiseSize", g.NumRounds, "rounds"},
		{"firstPlayer", g.NumRounds, "rounds"},
		{"maxRaises", g.NumRounds, "rounds"},
		{"numBoardCards", g.NumRounds, "rounds"},
	} {
		if k := r.read[list.key]; k.line > 0 && k.values != list.want {
			r.warnOf(list.key, "%d values for %d %s", k.values, list.want, list.what)
		}
	}
}
