package registry

import (
	"context"
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
)

// NewPlayers returns the players of the arena. OnTraining, if not nil, is called now
// and then while a player is trained, with the done fraction.
func NewPlayers(onTraining func(ctx context.Context, player string, done float64)) *tournament.Players {
	return &tournament.Players{
		Rules: Rules,
		Bot:   Bot,
		ServerBot: func(name string, command []string, rules game.Rules) hexproto.Bot {
			return &serverbot.Bot{Name: name, Command: command, Rules: rules}
		},
		Referees: map[string]tournament.Referee{boards.HavannahName: boards.Havannah{}.Judge},
		Train: func(ctx context.Context, g *acpc.Game, e configs.Entry, file string) error {
			return trainPlayer(ctx, g, e, file, onTraining)
		},
		Memory: memory.Available,
	}
}

// The first report of a training, and the interval of the others.
const (
	firstReport = time.Second
	reportEvery = 10 * time.Second
)

// trainPlayer trains the strategy of a player and writes it to a file.
func trainPlayer(ctx context.Context, game *acpc.Game, e configs.Entry, file string, onTraining func(context.Context, string, float64)) error {
	text, err := configs.Actions(e.Actions)
	if err != nil {
		return err
	}
	actions, err := train.Actions(game, text)
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
	next := time.Now().Add(firstReport)
	for a.Iterations() < e.Iterations {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		a.Step()
		if now := time.Now(); onTraining != nil && now.After(next) {
			next = now.Add(reportEvery)
			onTraining(ctx, e.Name, float64(a.Iterations())/float64(e.Iterations))
		}
	}
	return a.Save(file, strategy.Meta{Seed: e.Seed, Iterations: a.Iterations()})
}
