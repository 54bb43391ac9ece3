package main

import (
	"fmt"
	"strings"

	"gamebots/acpc"
	"gamebots/cmd/internal/cli"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/policy"
)

// fitHint says with which flags a training would fit in memory.
func fitHint(e *policy.SizeError) string {
	var fits []string
	for _, f := range cfr.Fits(e) {
		var change string
		switch {
		case f.Forgetful:
			change = "--forgetful"
		case f.Cards != "":
			change = "--abstraction " + cli.Quoted(f.Cards)
		case f.Bits != 0:
			change = fmt.Sprintf("--storage %d", f.Bits)
		case f.Rounds != 0:
			change = fmt.Sprintf("a game definition with numRounds = %d", f.Rounds)
		default:
			change = fmt.Sprintf("--actions %v", f.Actions)
		}
		fits = append(fits, fmt.Sprintf("%s (%s)", change, memory.Bytes(f.Bytes)))
	}
	switch {
	case len(fits) == 0 && e.Spec.Game.Betting == acpc.NoLimit:
		return "fewer raises (--actions) and coarser cards (--abstraction) together need less"
	case len(fits) == 0:
		return "a game with lower maxRaises, fewer players or fewer cards needs less"
	}
	hint := "what would fit: " + strings.Join(fits, ", or ")
	// Coarse cards alone fit, but are more than anybody trains where the betting has to be forgotten, too.
	usual := configs.Recipe(e.Spec.Game)
	if e.Spec.Cards == abstraction.Lossless.String() && strings.Contains(usual, "--set") {
		hint += "; usual for this game is " + usual
	}
	return hint
}
