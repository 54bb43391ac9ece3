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
)

// Contestant is a bot that plays board games, under its name.
type Contestant struct {
	Name string
	Bot  hexproto.Bot
}

// Series is a match of two bots at a board game. Each opening is played twice,
// with the seats exchanged.
type Series struct {
	Rules   game.Rules
	Options json.RawMessage
	A, B    Contestant
	Games   int // both of each opening
	Opening int // random legal moves that every game begins with, swaps left out
	// Judge, if not nil, rates openings: one that does not leave who is to move
	// between 1/2-Margin and 1/2+Margin is drawn anew. Strong players win what
	// others win from it, too.
	Judge   hexproto.Bot
	Margin  float64
	Seed    uint64
	AtOnce  int
	PerMove time.Duration // what a bot has for each move; 0 leaves it to the bots
	// Referee, if not nil, judges every game that came to its end by itself. Where
	// it disagrees with the rules, the series ends with an error.
	Referee func(options json.RawMessage, moves []string) (winner int, err error)
}

// BoardGame is one game of a series.
type BoardGame struct {
	Number  int             `json:"game"`
	Seed    uint64          `json:"seed"` // the series'
	Options json.RawMessage `json:"options"`
	First   string          `json:"first"`           // who had the first seat
	Second  string          `json:"second"`          // and the other
	Moves   []string        `json:"moves"`           // of a turn in which both move the first's, then the second's
	Book    int             `json:"book"`            // the first of them that were given
	Winner  string          `json:"winner"`          // a name, or "draw"
	How     string          `json:"how"`             // as the rules say, or "resign", "fault"
	Fault   string          `json:"fault,omitempty"` // what the loser did
	// Score is A's: 1, 1/2 or 0.
	Score float64 `json:"score"`
}

// Play plays the series, but for the games whose results are in done, which are
// those of an earlier call with the same series. Each further game is told of in
// its order; when that returns false the series is over. A bot that fails or
// makes an illegal move loses the game. An error is the context's, that of
// telling, or one of the game's rules.
func (s *Series) Play(ctx context.Context, done int, tell func(*BoardGame) (more bool, err error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	next, told := done, done
	ended := map[int]*BoardGame{}
	pairs := openings{series: s, found: map[int]func() ([][2]string, error){}}
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
				for g := ended[told]; g != nil && ctx.Err() == nil; g = ended[told] {
					delete(ended, told)
					told++
					more, err := tell(g)
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

// Check says why a bot cannot play a game at all. A series would count the games
// that it loses.
func (c Contestant) Check(ctx context.Context, rules game.Rules, options json.RawMessage) error {
	game, err := rules.New(options)
	if err != nil {
		return err
	}
	about := rules.About()
	return hexproto.Check(ctx, c.Bot, &wire.Game{Game: "check", Rules: about.Name, Options: game.Options(), Names: about.Seats, Moves: []wire.Move{}})
}

// Has says whether a game is one of the series, as far as can be told without
// playing it.
func (s *Series) Has(g *BoardGame) bool {
	names := [2]string{s.A.Name, s.B.Name}
	first, second := names[g.Number&1], names[g.Number&1^1]
	game, err := s.Rules.New(s.Options)
	return err == nil && g.Number >= 0 && g.Number < s.Games && g.Seed == s.Seed && bytes.Equal(g.Options, game.Options()) &&
		g.First == first && g.Second == second
}

var errEnough = errors.New("enough games")

// game plays one.
func (s *Series) game(ctx context.Context, number int, pairs *openings) (*BoardGame, error) {
	game, err := s.Rules.New(s.Options)
	if err != nil {
		return nil, err
	}
	seats := [2]Contestant{s.A, s.B}
	scoreOfFirst := func(x float64) float64 { return x }
	if number%2 == 1 {
		seats[0], seats[1] = s.B, s.A
		scoreOfFirst = func(x float64) float64 { return 1 - x }
	}
	g := &BoardGame{
		Number: number, Seed: s.Seed, Options: game.Options(),
		First: seats[0].Name, Second: seats[1].Name, Moves: []string{},
	}
	state := s.state(fmt.Sprintf("match-%d-%d", s.Seed, number), game)
	// play plays a turn: the moves of the seats that are to move.
	play := func(to [2]bool, moves [2]string) error {
		before := len(state.Moves)
		addTurn(state, to, moves)
		for _, m := range state.Moves[before:] {
			g.Moves = append(g.Moves, m.Move)
		}
		return game.Play(moves)
	}
	end := func(winner int, how string) *BoardGame {
		g.How, g.Winner, g.Score = how, "draw", 0.5
		if winner >= 0 {
			g.Winner, g.Score = seats[winner].Name, scoreOfFirst(float64(1-winner))
		}
		return g
	}

	book, err := pairs.of(ctx, number/2)
	if err != nil {
		return nil, err
	}
	for _, moves := range book {
		if err := play(game.ToMove(), moves); err != nil {
			return nil, err
		}
	}
	g.Book = len(g.Moves)
	var engines [2]hexproto.Engine
	defer func() {
		for _, e := range engines {
			if e != nil {
				_ = e.Close()
			}
		}
	}()
	for {
		to := game.ToMove()
		if to == ([2]bool{}) {
			break
		}
		var moves [2]string
		for seat := range 2 { // where both move at once neither is shown the other's move
			if !to[seat] {
				continue
			}
			d, err := s.decide(ctx, &engines[seat], seats[seat].Bot, state, seat, to, game.CanSwap())
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			if err == nil && d.Resign {
				return end(1-seat, "resign"), nil
			}
			if err == nil {
				moves[seat], err = game.Check(seat, d.Move)
			}
			if err != nil {
				g.Fault = err.Error()
				return end(1-seat, "fault"), nil
			}
		}
		if err := play(to, moves); err != nil {
			return nil, err
		}
	}
	for seat, e := range engines {
		if w, ok := e.(hexproto.Witness); ok {
			now := *state
			now.You, now.ToMove, now.Result = seat, nil, game.Result()
			w.Over(ctx, &now)
		}
	}
	r := game.Result()
	if s.Referee != nil {
		if winner, err := s.Referee(game.Options(), g.Moves); err != nil || winner != r.Winner {
			return nil, fmt.Errorf("the referee says %d (%v) where the rules say %d: %v", winner, err, r.Winner, g.Moves)
		}
	}
	return end(r.Winner, r.How), nil
}

// late is what a bot may take beyond its time before it has failed: machines that
// play are busy, and engines stop by looking at a clock now and then.
const late = 5 * time.Second

// decide asks a bot for a move.
func (s *Series) decide(ctx context.Context, e *hexproto.Engine, bot hexproto.Bot, state *wire.Game, seat int, to [2]bool, swap bool) (hexproto.Decision, error) {
	now := *state
	now.You, now.ToMove, now.Swap = seat, []int{seat}, swap
	if to == ([2]bool{true, true}) {
		now.ToMove = []int{0, 1}
	}
	var err error
	if *e == nil {
		if *e, err = bot.Open(ctx, &now, seat); err != nil {
			*e = nil
			return hexproto.Decision{}, err
		}
	}
	budget := hexproto.NewBudget(&now, seat, time.Time{}, 0)
	if s.PerMove > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.PerMove+late)
		defer cancel()
	}
	return (*e).Decide(ctx, &now, budget)
}
