package configs

import "gamebots/acpc"

// recipes are the flags with which gamebots train makes a strategy of each shipped game, as docs/training.md
// has them.
var recipes = map[string]string{
	"holdem-limit-12":   "--time 10m",
	"holdem-limit-20":   "--abstraction quick --time 10m",
	"holdem-limit-2p":   "--abstraction quick --time 10m",
	"holdem-limit-3p":   "--abstraction quick --set forgetful --set no-response --time 10m",
	"holdem-limit-flop": "--time 10m",
	"holdem-nolimit-2p": "--abstraction quick --time 10m",
	"holdem-nolimit-3p": "--abstraction quick --time 1h",
	"holdem-nolimit-6p": "--abstraction quick --actions six-max --time 24h",
	"kuhn":              "--target 1mb",
	"kuhn-3p":           "--target 1mb",
	"leduc":             "--target 1mb",
	"leduc-3p":          "--time 10m",
	"leduc-nolimit":     "--target 1mb",
	"reis-a":            "--target 1mb",
	"reis-b":            "--time 10m",
	"reis-c":            "--algorithm recursive --time 10m",
	"reis-d":            "--algorithm recursive --time 10m",
	"rhode-island":      "--time 10m",
}

// Recipe returns the flags with which gamebots train makes a strategy of a game: those of the shipped game with the
// same cards, betting and rounds whose number of players is nearest. It is "" if there is none.
func Recipe(g *acpc.Game) string {
	if name := ShippedGame(g); name != "" {
		return recipes[name]
	}
	recipe, nearest := "", acpc.MaxPlayers
	for _, name := range Games() {
		s, err := Game(name)
		if err != nil || !alike(s, g) {
			continue
		}
		if apart := max(s.NumPlayers-g.NumPlayers, g.NumPlayers-s.NumPlayers); apart < nearest {
			recipe, nearest = recipes[name], apart
		}
	}
	return recipe
}

func alike(a, b *acpc.Game) bool {
	return a.Betting == b.Betting && a.NumRounds == b.NumRounds && a.NumSuits == b.NumSuits &&
		a.NumRanks == b.NumRanks && a.NumHoleCards == b.NumHoleCards && a.NumBoardCards == b.NumBoardCards
}

// ShippedGame returns the name of the shipped game that a game is, by its rules and not by its name; "" if it is none.
func ShippedGame(g *acpc.Game) string {
	rules := g.String()
	for _, name := range Games() {
		if s, err := Game(name); err == nil && s.String() == rules {
			return name
		}
	}
	return ""
}
