package registry

import (
	"context"
	"fmt"
	"time"

	"gamebots/acpc"
	"gamebots/bots/arena/serverbot"
	"gamebots/bots/arena/tournament"
	"gamebots/configs"
	"gamebots/hexproto"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/game"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/strategy"

	"github.com/rs/zerolog"
)

// NewPlayers returns the players of the arena.
func NewPlayers() *tournament.Players {
	return &tournament.Players{
		Rules: Rules,
		Bot:   func(e configs.Engine) (hexproto.Bot, error) { return Bot(e) },
		ServerBot: func(name string, command []string, rules game.Rules) hexproto.Bot {
			return &serverbot.Bot{Name: name, Command: command, Rules: rules}
		},
		Referees: map[string]tournament.Referee{boards.HavannahName: boards.Havannah{}.Judge},
		Train:    trainEntry,
		Memory:   memory.Available,
	}
}

// trainEntry trains a player of a tournament for a number of iterations.
func trainEntry(ctx context.Context, game *acpc.Game, e configs.Entry, file string) error {
	actions, err := train.Actions(game, e.Actions)
	if err != nil {
		return err
	}
	algorithm, err := train.ParseAlgorithm(e.Algorithm)
	if err != nil {
		return err
	}
	a, err := train.Open(train.Spec{GameSpec: cfr.GameSpec{Game: game, Cards: e.Cards, Actions: actions}, Algorithm: algorithm, Seed: e.Seed}, train.Options{})
	if err != nil {
		return err
	}
	log, next := zerolog.Ctx(ctx), time.Now().Add(time.Second) // what takes less needs no words
	for a.Iterations() < e.Iterations {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		a.Step()
		if now := time.Now(); now.After(next) {
			next = now.Add(10 * time.Second)
			log.Info().Str("player", e.Name).Str("done", fmt.Sprintf("%.0f%%", 100*float64(a.Iterations())/float64(e.Iterations))).Msg("training")
		}
	}
	return a.Save(file, strategy.Meta{Seed: e.Seed, Iterations: a.Iterations()})
}
