package bridge

import (
	"fmt"
	"slices"
	"strings"

	"gamebots/configs"
	"gamebots/hexproto/wire"
)

// talk greets the opponent once, and answers questions in the chat.
func (g *game) talk(lines []wire.Line, now *wire.Game, s *configs.BoardBot) {
	g.b.mu.Lock()
	me := g.b.name
	g.b.mu.Unlock()
	if !g.greeted {
		g.greeted = true
		said := slices.ContainsFunc(now.Said, func(l wire.Line) bool { return l.From == me })
		if s.Conduct.Greeting != "" && now.Turn < 2 && !said {
			g.say(s.Conduct.Greeting)
		}
	}
	if !s.Conduct.Chat {
		return
	}
	for _, l := range lines {
		if l.From == me {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(l.Text)) {
		case "!help":
			g.say("!name: the name of the bot; !eval: its rating of its last move")
		case "!name":
			g.say(fmt.Sprintf("%s, by gamebots", s.Engine.Kind))
		case "!eval":
			switch {
			case now.Rated:
				g.say("not in a rated game")
			case len(g.last.Rated) == 0:
				g.say("no idea")
			default:
				r := g.last.Rated[0]
				g.say(fmt.Sprintf("%s: %.0f%% of %d", r.Move, 100*r.Value, r.Work))
			}
		}
	}
}

func (g *game) say(text string) { g.b.spawn(&wire.Chat{Game: g.id, Text: text}, nil) }
