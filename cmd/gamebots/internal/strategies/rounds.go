package strategies

import (
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
	"gamebots/internal/usererr"
	"gamebots/solvers/cfr/betting"
)

// ParseRounds returns the rounds of a game that --rounds lists: "" is all.
func ParseRounds(g *acpc.Game, text string) (chosen [acpc.MaxRounds]bool, err error) {
	if text == "" {
		for r := range g.NumRounds {
			chosen[r] = true
		}
		return chosen, nil
	}
	for _, name := range strings.Split(text, ",") {
		r := slices.Index(betting.RoundNames[:], strings.TrimSpace(name))
		if r < 0 || g.NumRounds != len(betting.RoundNames) {
			n, err := strconv.Atoi(strings.TrimSpace(name))
			if r = n - 1; err != nil {
				r = -1
			}
		}
		if r < 0 || r >= g.NumRounds {
			names := ""
			if g.NumRounds == len(betting.RoundNames) {
				names = ", or of " + strings.Join(betting.RoundNames[:], ", ")
			}
			return chosen, usererr.Usagef("--rounds %s: %q is not a round of %s; want numbers from 1 to %d%s", text,
				name, g.Name, g.NumRounds, names)
		}
		chosen[r] = true
	}
	return chosen, nil
}
