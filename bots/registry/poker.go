package registry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gamebots/acpc"
	"gamebots/bots/poker"
	"gamebots/bots/poker/table"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/hexproto/server/engines"
	"gamebots/solvers/policy"
)

// PokerStrategy is a strategy that a server plays. Strategies of different games may be of
// one bot.
type PokerStrategy struct {
	Bot    string // its name
	About  string // how it plays; "" says how it was trained
	Policy *policy.Policy
}

// PokerRoom is what a server needs to offer poker.
type PokerRoom struct {
	Rules   []game.Rules
	Bots    []engines.Bot
	Library Library // advisors of the strategies
}

// Poker returns the rules and the bots of poker at a server: the program's games for two to
// table.MaxSeats players and those of the strategies, and a bot for each strategy, before
// the plain ones that play all games. Games with board cards in the first round are left out.
func Poker(strategies []PokerStrategy) (*PokerRoom, error) {
	var tables []table.Rules
	for _, name := range configs.Games() {
		g, err := configs.Game(name)
		if err != nil {
			return nil, err
		}
		if g.NumPlayers <= table.MaxSeats && g.NumBoardCards[0] == 0 {
			title, _, _ := strings.Cut(configs.GameTitle(name), ",")
			tables = append(tables, table.Rules{Game: g, Title: title})
		}
	}
	var bots []engines.Bot
	library := Library{}
	for _, s := range strategies {
		g := s.Policy.Tree.Game
		i := slices.IndexFunc(tables, func(r table.Rules) bool { return r.Game.Name == g.Name })
		switch {
		case g.NumPlayers > table.MaxSeats:
			return nil, fmt.Errorf("%s: %s has %d players, a table %d seats", s.Bot, g.Name,
				g.NumPlayers, table.MaxSeats)
		case g.NumBoardCards[0] > 0:
			return nil, fmt.Errorf("%s: %s has board cards in the first round, which nobody could read", s.Bot, g.Name)
		case i < 0:
			i = len(tables)
			tables = append(tables, table.Rules{Game: g, Title: g.Name})
		case tables[i].Advisors[s.Bot] != nil:
			return nil, &engines.NameError{Name: s.Bot, Problem: "it has another strategy for " + g.Name}
		case s.Policy.CheckGame(tables[i].Game) != nil:
			return nil, fmt.Errorf("%s: %w", s.Bot, s.Policy.CheckGame(tables[i].Game))
		}
		advisor, err := newAdvisor(s.Policy)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Bot, err)
		}
		if tables[i].Advisors == nil {
			tables[i].Advisors, library[g.Name] = map[string]table.Advisor{}, map[string]*Advisor{}
		}
		tables[i].Advisors[s.Bot], library[g.Name][s.Bot] = advisor, advisor
		if bots, err = addPokerBot(bots, s.Bot, cmp.Or(s.About, strategyAbout(s.Policy)),
			table.Bot{Game: g, Player: func(seed uint64) (acpc.Player, error) {
				return poker.NewPolicyPlayer(s.Policy, poker.Style{}, seed), nil
			}}); err != nil {
			return nil, err
		}
	}
	var rules []game.Rules
	for _, r := range tables {
		rules = append(rules, r)
		// docs/nolimit-bot.md has the measurement, in mb a hand.
		for _, plain := range []struct{ name, kind, about string }{
			{"caller", "call", "Always calls. In heads-up no-limit it loses 258 bb/100 to cfr."},
			{"raiser", "raise", "Raises whenever it may. In heads-up no-limit it loses 295 bb/100 to cfr."},
			{"gambler", "random", "Acts at random, and seldom folds. In heads-up no-limit it loses 265 bb/100 to cfr."},
		} {
			var err error
			if bots, err = addPokerBot(bots, plain.name, plain.about,
				table.Bot{Game: r.Game, Player: func(seed uint64) (acpc.Player, error) {
					return poker.NewOpponent(plain.kind, seed)
				}}); err != nil {
				return nil, err
			}
		}
	}
	return &PokerRoom{rules, bots, library}, nil
}

// addPokerBot adds a bot for a game to the bots. One that is there already plays another
// game, too.
func addPokerBot(bots []engines.Bot, name, about string, bot table.Bot) ([]engines.Bot, error) {
	i := slices.IndexFunc(bots, func(b engines.Bot) bool { return b.Name == name })
	if i < 0 {
		i = len(bots)
		bots = append(bots, engines.Bot{Name: name, About: about, Bot: hexproto.ByRules{}})
	}
	b, byRules := &bots[i], bots[i].Bot.(hexproto.ByRules)
	if byRules[bot.Game.Name] != nil {
		return nil, &engines.NameError{Name: name, Problem: "another bot for " + bot.Game.Name + " has that name"}
	}
	b.Rules, byRules[bot.Game.Name] = append(b.Rules, bot.Game.Name), bot
	return bots, nil
}

// strategyAbout describes a strategy for those who choose an opponent.
func strategyAbout(p *policy.Policy) string {
	m, g := p.Meta(), p.Tree.Game
	if m.Exploitability == nil || g.NumPlayers > 2 || g.MaxBlind() == 0 {
		return fmt.Sprintf("Plays a strategy of %s.", m.Algorithm)
	}
	unit := "big blinds"
	if g.Blind[0] == g.Blind[1] {
		unit = "antes"
	}
	return fmt.Sprintf("Plays a strategy of %s: no opponent wins more than %.2g %s a hand from it.", m.Algorithm,
		*m.Exploitability/float64(g.MaxBlind()), unit)
}
