package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// GameRecord is one game of a series.
type GameRecord struct {
	Number  int             `json:"game"`
	Seed    uint64          `json:"seed"` // seed of the series
	Options json.RawMessage `json:"options"`
	First   string          `json:"first"`           // name of the player in the first seat
	Second  string          `json:"second"`          // name of the player in the second seat
	Moves   []string        `json:"moves"`           // where both move at once, the first seat's before the second's
	Book    int             `json:"book"`            // number of moves that are the opening
	Winner  string          `json:"winner"`          // a name, or "draw"
	How     string          `json:"how"`             // as the rules have it, or "resign", "fault"
	Fault   string          `json:"fault,omitempty"` // the error of the loser
	Score   float64         `json:"score"`           // player A's score: 1, 1/2 or 0
}

// gameRecorder plays one game of a series and records it.
type gameRecorder struct {
	series  *Series
	game    game.Game
	seats   [2]Contestant
	engines [2]hexproto.Engine // opened for the first move of their seat
	state   *wire.Game
	record  *GameRecord
}

// game plays one game.
func (s *Series) game(ctx context.Context, number int, pairs *openings) (*GameRecord, error) {
	r, err := s.newRecorder(number)
	if err != nil {
		return nil, err
	}
	defer r.close()
	opening, err := pairs.of(ctx, number/2)
	if err != nil {
		return nil, err
	}
	for _, moves := range opening {
		if err := r.play(r.game.ToMove(), moves); err != nil {
			return nil, err
		}
	}
	r.record.Book = len(r.record.Moves)
	for to := r.game.ToMove(); slices.Contains(to, true); to = r.game.ToMove() {
		if ended, err := r.turn(ctx, to); ended || err != nil {
			return r.record, err
		}
	}
	result := r.game.Result()
	r.end(result.Winner, result.How)
	return r.record, nil
}

func (s *Series) newRecorder(number int) (*gameRecorder, error) {
	game, err := s.Rules.New(s.Options)
	if err != nil {
		return nil, err
	}
	seats := [2]Contestant{s.A, s.B}
	if number%2 == 1 {
		seats[0], seats[1] = s.B, s.A
	}
	return &gameRecorder{
		series: s, game: game, seats: seats,
		state: s.state(fmt.Sprintf("match-%d-%d", s.Seed, number), game),
		record: &GameRecord{
			Number: number, Seed: s.Seed, Options: game.Options(), First: seats[0].Name,
			Second: seats[1].Name, Moves: []string{},
		},
	}, nil
}

func (r *gameRecorder) close() {
	for _, e := range r.engines {
		if e != nil {
			_ = e.Close()
		}
	}
}

// turn asks the bots to move and plays the turn. It reports whether the game has
// ended, by a resignation or by the fault of a bot.
func (r *gameRecorder) turn(ctx context.Context, to []bool) (ended bool, err error) {
	moves := make([]string, len(to))
	for seat := range to { // where both move at once, neither sees the other's move
		if !to[seat] {
			continue
		}
		d, err := r.decide(ctx, seat, to)
		if err := context.Cause(ctx); err != nil {
			return false, err
		}
		if err == nil && d.Resign {
			r.end(1-seat, "resign")
			return true, nil
		}
		if err == nil {
			moves[seat], err = r.game.Check(seat, d.Move)
		}
		if err != nil {
			r.record.Fault = err.Error()
			r.end(1-seat, "fault")
			//lint:ignore nilerr the fault is in the record of the game
			return true, nil
		}
	}
	return false, r.play(to, moves)
}

// play plays and records a turn: the moves of the seats that are to move.
func (r *gameRecorder) play(to []bool, moves []string) error {
	before := len(r.state.Moves)
	addTurn(r.state, to, moves)
	for _, m := range r.state.Moves[before:] {
		r.record.Moves = append(r.record.Moves, m.Move)
	}
	return r.game.Play(moves)
}

// overtime is how far a bot may exceed its time before it has failed. Machines are
// busy, and engines look at the clock only now and then.
const overtime = 5 * time.Second

// decide asks the bot of a seat for a move.
func (r *gameRecorder) decide(ctx context.Context, seat int, to []bool) (hexproto.Decision, error) {
	now := *r.state
	now.You, now.ToMove, now.Swap = seat, []int{seat}, r.game.CanSwap()
	perMove := cmp.Or(r.seats[seat].PerMove, r.series.PerMove)
	now.Clock.PerMove = perMove.Milliseconds()
	if !slices.Contains(to, false) {
		now.ToMove = []int{0, 1}
	}
	if r.engines[seat] == nil {
		engine, err := r.seats[seat].Bot.Open(ctx, &now, seat)
		if err != nil {
			return hexproto.Decision{}, err
		}
		r.engines[seat] = engine
	}
	budget := hexproto.NewBudget(&now, seat, time.Time{}, 0)
	if perMove > 0 {
		var cancel context.CancelFunc
		limit := perMove + overtime
		ctx, cancel = context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
		defer cancel()
	}
	return r.engines[seat].Decide(ctx, &now, budget)
}

// end records the result: the winner is a seat, or -1 for a draw.
func (r *gameRecorder) end(winner int, how string) {
	g := r.record
	g.How, g.Winner, g.Score = how, "draw", 0.5
	if winner >= 0 {
		g.Winner, g.Score = r.seats[winner].Name, 0
		if winner == g.Number%2 { // A has the second seat of odd games
			g.Score = 1
		}
	}
}
