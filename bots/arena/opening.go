package arena

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gamebots/hexproto"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
	"gamebots/internal/usererr"
)

// maxDraws limits how many openings are drawn for a pair of games. A judge that finds
// none of them even is not usable.
const maxDraws = 1000

// errUneven reports that the judge found no even opening.
var errUneven = usererr.WithHint(fmt.Errorf("none of %d openings is even", maxDraws),
	"another number of random moves, or of the judge's simulations, may find some")

// openings has the openings of a series. Each is found once for both games of its
// pair, because the judge's search takes time.
type openings struct {
	series *Series
	mu     sync.Mutex
	found  map[int]func() ([][]string, error) // pairs whose second game has not asked yet
}

// of returns the opening of a pair. It is called once for each of the two games.
func (o *openings) of(ctx context.Context, pair int) ([][]string, error) {
	o.mu.Lock()
	find, again := o.found[pair]
	if again {
		delete(o.found, pair)
	} else {
		find = sync.OnceValues(func() ([][]string, error) { return o.series.opening(ctx, pair) })
		o.found[pair] = find
	}
	o.mu.Unlock()
	return find()
}

// opening returns the turns that both games of a pair begin with.
func (s *Series) opening(ctx context.Context, pair int) ([][]string, error) {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(pair)))
	uneven := map[string]bool{} // keyed by moves: on a small board the same short opening is drawn often
	for range maxDraws {
		game, err := s.Rules.New(s.Options)
		if err != nil {
			return nil, err
		}
		state := s.state(fmt.Sprintf("opening-%d-%d", s.Seed, pair), game)
		var turns [][]string
		for len(turns) < s.Opening {
			to := game.ToMove()
			if !slices.Contains(to, true) {
				break
			}
			moves := make([]string, len(to))
			for seat := range to {
				if !to[seat] {
					continue
				}
				// No swaps: programs may not know them, and a swap leaves one stone fewer.
				for legal := game.View().Moves(seat); moves[seat] == "" || game.CanSwap() && moves[seat] == "swap"; {
					if moves[seat], err = game.Check(seat, legal[rng.IntN(len(legal))]); err != nil {
						return nil, err
					}
				}
			}
			addTurn(state, to, moves)
			if err := game.Play(moves); err != nil {
				return nil, err
			}
			turns = append(turns, moves)
		}
		drawn := fmt.Sprint(turns)
		if uneven[drawn] {
			continue
		}
		if even, err := s.even(ctx, state, game); even || err != nil {
			return turns, err
		}
		uneven[drawn] = true
	}
	return nil, errUneven
}

// even reports whether the judge rates a position within the margin of 1/2.
func (s *Series) even(ctx context.Context, state *wire.Game, game game.Game) (bool, error) {
	to := game.ToMove()
	if s.Judge == nil || !slices.Contains(to, true) {
		return true, nil
	}
	seat := slices.Index(to, true)
	state.You, state.ToMove, state.Swap, state.Clock = seat, []int{seat}, game.CanSwap(), wire.Clock{}
	engine, err := s.Judge.Open(ctx, state, seat)
	if err != nil {
		return false, err
	}
	defer engine.Close()
	d, err := engine.Decide(ctx, state, hexproto.Budget{})
	if err != nil {
		return false, err
	}
	return len(d.Rated) > 0 && math.Abs(d.Rated[0].Value-0.5) <= s.Margin, nil
}

// state returns the state of a game before its first move, as engines receive it.
func (s *Series) state(name string, game game.Game) *wire.Game {
	rules := s.Rules.About()
	return &wire.Game{
		Game: name, Rules: rules.Name, Options: game.Options(), Names: rules.Seats,
		Clock: wire.Clock{PerMove: s.PerMove.Milliseconds()}, Moves: []wire.Move{},
	}
}

// addTurn appends a turn to a state: the moves of the seats that were to move.
func addTurn(state *wire.Game, to []bool, moves []string) {
	for seat := range to {
		if to[seat] {
			state.Moves = append(state.Moves, wire.Move{Turn: state.Turn, Seat: seat, Move: moves[seat]})
		}
	}
	state.Turn++
}
