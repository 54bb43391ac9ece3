package betting

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
)

// ParseRounds returns the rounds of a game that a list names, by their numbers from 1 or, in games of four rounds, as
// in "turn,river". "" is all.
func ParseRounds(g *acpc.Game, text string) (chosen [acpc.MaxRounds]bool, err error) {
	if text == "" {
		for r := range g.NumRounds {
			chosen[r] = true
		}
		return chosen, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		r := slices.Index(RoundNames[:], strings.TrimSpace(name))
		if r < 0 || g.NumRounds != len(RoundNames) {
			n, err := strconv.Atoi(strings.TrimSpace(name))
			if r = n - 1; err != nil {
				r = -1
			}
		}
		if r < 0 || r >= g.NumRounds {
			names := ""
			if g.NumRounds == len(RoundNames) {
				names = ", or of " + strings.Join(RoundNames[:], ", ")
			}
			return chosen,
				fmt.Errorf("%q is not a round of %s; want numbers from 1 to %d%s", name, g.Name, g.NumRounds, names)
		}
		chosen[r] = true
	}
	return chosen, nil
}
