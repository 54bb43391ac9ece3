package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
	"gamebots/internal/memory"
)

// Contestant is a named bot that plays board games.
type Contestant struct {
	Name    string
	Bot     hexproto.Bot
	PerMove time.Duration // thinking time for each of its moves; 0 is that of the series
}

// Check reports whether the bot can play a game at all. A series would count every
// game as lost.
func (c Contestant) Check(ctx context.Context, rules game.Rules, options json.RawMessage) error {
	game, err := rules.New(options)
	if err != nil {
		return err
	}
	about := rules.About()
	return hexproto.Check(ctx, c.Bot, &wire.Game{
		Game: "check", Rules: about.Name, Options: game.Options(), Names: about.Seats, Moves: []wire.Move{},
	})
}

// Series is a match of two bots at a board game. Each opening is played twice, with
// the seats exchanged.
type Series struct {
	Rules   game.Rules
	Options json.RawMessage
	A, B    Contestant
	Games   int    // number of games, two for each opening
	Opening int    // length of the openings: random legal moves, swaps left out
	Seed    uint64 // seed of the openings
	// Judge, if not nil, rates openings. An opening is used only if the player to
	// move has a value between 1/2-Margin and 1/2+Margin, because one side wins a
	// lopsided opening whoever plays it.
	Judge   hexproto.Bot
	Margin  float64
	AtOnce  int           // games in progress at a time
	PerMove time.Duration // thinking time for each move; 0 leaves it to the bots
}

// Play plays the games of the series from number first on. It calls onGame with the
// games in their order, never at the same time, until that returns false or an
// error. A bot that fails or makes an illegal move loses the game. Play returns the
// error of the context, of onGame, or of the rules.
func (s *Series) Play(ctx context.Context, first int, onGame func(*GameRecord) (more bool, err error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	next, reported := first, first
	ended := map[int]*GameRecord{}
	pairs := openings{series: s, found: map[int]func() ([][]string, error){}}
	var threads sync.WaitGroup
	for range min(max(1, s.AtOnce), s.Games) {
		threads.Go(func() {
			for {
				mu.Lock()
				number := next
				next++
				mu.Unlock()
				if number >= s.Games || ctx.Err() != nil {
					return
				}
				g, err := s.game(ctx, number, &pairs)
				if err != nil {
					cancel(fmt.Errorf("game %d: %w", number, err))
					return
				}
				mu.Lock()
				ended[number] = g
				for g := ended[reported]; g != nil && ctx.Err() == nil; g = ended[reported] {
					delete(ended, reported)
					reported++
					more, err := onGame(g)
					if err == nil && !more {
						err = errEnough
					}
					if err != nil {
						cancel(err)
					}
				}
				mu.Unlock()
			}
		})
	}
	threads.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return nil
}

// errEnough ends a series whose onGame wants no more games.
var errEnough = errors.New("enough games")

// Bytes returns the memory that the search trees of all games at a time take, of bots that know it.
func (s *Series) Bytes() int64 {
	var bytes int64
	for _, c := range []Contestant{s.A, s.B} {
		if t, ok := c.Bot.(hexproto.Sized); ok {
			bytes += t.Bytes()
		}
	}
	return memory.Saturate(float64(bytes) * float64(min(s.AtOnce, s.Games)))
}

// Has reports whether a game belongs to the series: number, seed, options and
// players agree. It does not replay the moves.
func (s *Series) Has(g *GameRecord) bool {
	names := [2]string{s.A.Name, s.B.Name}
	first, second := names[g.Number&1], names[g.Number&1^1]
	game, err := s.Rules.New(s.Options)
	return err == nil && g.Number >= 0 && g.Number < s.Games && g.Seed == s.Seed &&
		bytes.Equal(g.Options, game.Options()) &&
		g.First == first && g.Second == second
}
