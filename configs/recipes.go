package configs

import (
	"strings"

	"gamebots/acpc"
)

// AsShipped is how a strategy is made from nothing as the one that comes with the program.
type AsShipped struct {
	// Steps are commands without the name of the program. GAME stands for the game and OUT for the file of the
	// strategy without its extension.
	Steps []string
	// Needs says what it needs and how long it takes.
	Needs string
}

// asShipped are those of the games that have a strategy in configs/strategies, and of shorter stacks.
var asShipped = map[string]AsShipped{
	"holdem-limit-2p": {
		Steps: []string{
			"abstract GAME --recipe holdem-3000 -o OUT.buckets",
			"train GAME --abstraction OUT.buckets --algorithm pcs+(128) --set no-response --iterations 24576 " +
				"-o OUT.start.strategy",
			"train GAME --abstraction OUT.buckets --algorithm public-cfr-br " +
				"--set start=OUT.start.strategy.checkpoint --set no-response --iterations 93182 " +
				"-o OUT.trained.strategy",
			"convert OUT.trained.strategy OUT.strategy --bits 4 --force",
		},
		Needs: "2 GiB, and 6 GiB of a GPU: 23 minutes on one H200; on two processor cores months",
	},
	"holdem-nolimit-2p": {
		Steps: []string{
			"abstract GAME --recipe holdem-blueprint -o OUT.buckets",
			"abstract GAME --recipe holdem-9000 -o OUT.opponent.buckets",
			"train GAME --abstraction OUT.buckets --set opponent-abstraction=OUT.opponent.buckets " +
				"--actions blueprint --algorithm pcs+(128) --set no-response --set seed=1 --iterations 143616 " +
				"-o OUT.trained.strategy",
			"convert OUT.trained.strategy OUT.strategy --bits 4 --force",
		},
		Needs: "4 GiB, and 35 GiB of a GPU: 7 minutes on one H200; on two processor cores weeks",
	},
	"holdem-limit-3p": {
		Steps: []string{
			"abstract GAME --recipe holdem-300 -o OUT.buckets",
			"train GAME --abstraction OUT.buckets --set forget=betting --algorithm robust-linear-external(4096) " +
				"--set seed=1 --set no-response --iterations 16781312 -o OUT.trained.strategy",
			"convert OUT.trained.strategy OUT.strategy --bits 4 --force",
		},
		Needs: "1.3 GiB: 25 minutes on two processor cores",
	},
	"holdem-nolimit-6p": {
		Steps: []string{
			"abstract GAME --recipe holdem-100 -o OUT.buckets",
			"train GAME --abstraction OUT.buckets --actions six-handed --set forget=dead-money " +
				"--algorithm robust-linear-external(4096) --set seed=1 --set no-response --iterations 47104000 " +
				"-o OUT.trained.strategy",
			"convert OUT.trained.strategy OUT.sevenths.strategy --bits 3 --force",
			"convert OUT.sevenths.strategy OUT.strategy --bits 1 --force", // the likeliest of fold, call and raise
		},
		Needs: "2 GiB: one hour on two processor cores",
	},
	"holdem-nolimit-2p-20bb":  shortStacks,
	"holdem-nolimit-2p-50bb":  shortStacks,
	"holdem-nolimit-2p-100bb": shortStacks,
}

// shortStacks makes strategies that do not come with the program.
var shortStacks = AsShipped{
	Steps: []string{
		"train GAME --abstraction quick(200,200,200) --actions blueprint --algorithm linear-external(512) " +
			"--set no-response --set seed=1 --time 10m -o OUT.trained.strategy",
		"convert OUT.trained.strategy OUT.strategy --bits 4 --force",
	},
	Needs: "0.2 GiB: 10 minutes on two processor cores",
}

// ShippedRecipe returns how a strategy for a game is made as the one that comes with the program for it or for the game
// of its [Recipe], or by that if none does.
func ShippedRecipe(g *acpc.Game) AsShipped {
	if a, ok := asShipped[nearest(g)]; ok {
		return a
	}
	return AsShipped{Steps: []string{strings.TrimSpace("train GAME "+Recipe(g)) + " -o OUT.strategy"}}
}

// HasBetterRecipe reports whether the [ShippedRecipe] of a game is another one than its [Recipe].
func HasBetterRecipe(g *acpc.Game) bool {
	_, ok := asShipped[nearest(g)]
	return ok
}

// Commands returns the arguments of each step, for the name of a game and the file of its strategy.
func (a AsShipped) Commands(game, file string) (commands [][]string) {
	names := strings.NewReplacer("GAME", game, "OUT", strings.TrimSuffix(file, strategyExt))
	for _, step := range a.Steps {
		words := strings.Fields(step)
		for i, word := range words {
			words[i] = names.Replace(word)
		}
		commands = append(commands, words)
	}
	return commands
}

// recipes are the flags with which gamebots train makes a strategy of each shipped game, as docs/training.md
// has them.
var recipes = map[string]string{
	"holdem-limit-12":         "--time 10m",
	"holdem-limit-20":         "--abstraction quick --time 10m",
	"holdem-limit-2p":         "--abstraction quick --time 10m",
	"holdem-limit-3p":         "--abstraction quick --set forget=betting --set no-response --time 10m",
	"holdem-limit-flop":       "--time 10m",
	"holdem-nolimit-2p":       "--abstraction quick --time 10m",
	"holdem-nolimit-2p-20bb":  "--abstraction quick --actions blueprint --time 10m",
	"holdem-nolimit-2p-50bb":  "--abstraction quick --actions blueprint --time 10m",
	"holdem-nolimit-2p-100bb": "--abstraction quick --actions blueprint --time 10m",
	"holdem-nolimit-3p":       "--abstraction quick --time 1h",
	"holdem-nolimit-6p": "--abstraction quick --actions six-handed --set forget=dead-money " +
		"--algorithm robust-external --set no-response --time 1h",
	"kuhn":          "--target 1mb",
	"kuhn-3p":       "--target 1mb",
	"leduc":         "--target 1mb",
	"leduc-3p":      "--time 10m",
	"leduc-nolimit": "--target 1mb",
	"reis-a":        "--target 1mb",
	"reis-b":        "--time 10m",
	"reis-c":        "--algorithm recursive --time 10m",
	"reis-d":        "--algorithm recursive --time 10m",
	"rhode-island":  "--time 10m",
}

// Recipe returns the flags with which gamebots train makes a strategy of a game: those of the shipped game with the
// same cards, betting and rounds whose number of players is nearest. It is "" if there is none.
func Recipe(g *acpc.Game) string { return recipes[nearest(g)] }

// nearest returns the name of the game of [Recipe]. Of several it is the last, as short stacks have recipes without a
// GPU.
func nearest(g *acpc.Game) string {
	nearest, least := ShippedGame(g), acpc.MaxPlayers
	if nearest != "" {
		return nearest
	}
	for _, name := range Games() {
		s, err := Game(name)
		if err != nil || !alike(s, g) {
			continue
		}
		if apart := max(s.NumPlayers-g.NumPlayers, g.NumPlayers-s.NumPlayers); apart <= least {
			nearest, least = name, apart
		}
	}
	return nearest
}

func alike(a, b *acpc.Game) bool {
	return a.Betting == b.Betting && a.NumRounds == b.NumRounds && a.NumSuits == b.NumSuits &&
		a.NumRanks == b.NumRanks && a.NumHoleCards == b.NumHoleCards && a.NumBoardCards == b.NumBoardCards
}

// ShippedGame returns the name of the shipped game that a game is, by its rules and not by its name, whichever seat
// its positions begin at; "" if it is none.
func ShippedGame(g *acpc.Game) string {
	for _, name := range Games() {
		if s, err := Game(name); err == nil {
			if _, same := s.Offset(g); same {
				return name
			}
		}
	}
	return ""
}
