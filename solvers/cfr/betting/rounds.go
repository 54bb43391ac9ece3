package betting

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
)

// ParseRounds returns the rounds of a game that a list names, by their numbers from 1 or as in "turn,river". "" is all.
func ParseRounds(g *acpc.Game, text string) (chosen [acpc.MaxRounds]bool, err error) {
	if text == "" {
		for r := range g.NumRounds {
			chosen[r] = true
		}
		return chosen, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		r := slices.Index(RoundNames[:], name)
		if n, err := strconv.Atoi(name); err == nil {
			r = n - 1
		}
		if r < 0 || r >= g.NumRounds {
			return chosen, fmt.Errorf("%q is not a round of %s; want numbers from 1 to %d, or of %s", name, g.Name,
				g.NumRounds, strings.Join(RoundNames[:g.NumRounds], ", "))
		}
		chosen[r] = true
	}
	return chosen, nil
}
