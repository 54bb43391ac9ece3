package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	"gamebots/acpc"
	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// Bot brings a poker player to the tables of a game. With stacks that are not those of the game it plays as in the
// hand with the game's stacks that is nearest.
type Bot struct {
	Game *acpc.Game
	// Player returns a player for a match. Its seed is one that nobody knows.
	Player func(seed uint64) (acpc.Player, error)
}

var _ interface {
	hexproto.Bot
	hexproto.QuickBot
} = Bot{}

// Open returns an error for another game.
func (b Bot) Open(_ context.Context, g *wire.Game, _ int) (hexproto.Engine, error) {
	if g.Rules != b.Game.Name {
		return nil, &hexproto.UnableError{Err: fmt.Errorf("%s is not %s", g.Rules, b.Game.Name)}
	}
	player, err := b.Player(rand.Uint64())
	if err != nil {
		return nil, err
	}
	return &engine{b.Game, player}, nil
}

// Quick returns true.
func (Bot) Quick(string, game.Game) bool { return true }

// engine plays a seat by what its views show.
type engine struct {
	game   *acpc.Game
	player acpc.Player
}

func (e *engine) Decide(ctx context.Context, g *wire.Game, _ hexproto.Budget) (hexproto.Decision, error) {
	if g.View == nil || g.View.Poker == nil {
		return hexproto.Decision{}, errors.New("the state of the game lacks its cards")
	}
	var hand struct{ Stacks []int32 }
	if err := json.Unmarshal(g.View.Poker.Hand, &hand); err != nil {
		return hexproto.Decision{}, err
	}
	act, of := e.player.Act, e.game
	other := *e.game
	if copy(other.Stack[:], hand.Stacks); other.Stack != of.Stack {
		act, of = e.actNear, &other
	}
	seen, _, err := of.ParseMatchState(g.View.Poker.Match)
	if err != nil {
		return hexproto.Decision{}, err
	}
	action, err := act(ctx, &seen)
	return hexproto.Decision{Move: action.String()}, err
}

func (e *engine) Close() error { return nil }
