package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"gamebots/acpc/history"
	"gamebots/bots/arena"
	"gamebots/bots/arena/plan"
	"gamebots/hexproto/game"
	"gamebots/hexproto/wire"
)

// Games are some hands or games of a shard, in their order.
type Games struct {
	Run   string   `json:"run"`
	Shard int      `json:"shard"`
	Table int      `json:"table"`
	Names []string `json:"names"` // names at the table
	Total int      `json:"total"` // games of the shard
	From  int      `json:"from"`
	Games []Entry  `json:"games"`
}

// Entry is a hand or a game in a list.
type Entry struct {
	Index int `json:"index"` // index in its shard
	// Players are in the order of positions or seats, and Values what each won:
	// chips, or points.
	Players []string  `json:"players"`
	Values  []float64 `json:"values"`
	// Of poker: the deal, and which of the orders of the seats this is.
	Deal    int    `json:"deal,omitempty"`
	Order   int    `json:"order,omitempty"`
	Betting string `json:"betting,omitempty"`
	Pot     int64  `json:"pot,omitempty"`
	// Of board games.
	How   string `json:"how,omitempty"`
	Moves int    `json:"moves,omitempty"`
}

// Game is a hand or a game, to be replayed.
type Game struct {
	Run   string `json:"run"`
	Shard int    `json:"shard"`
	Total int    `json:"total"` // games of the shard
	Entry
	Hand  *history.JSONHand `json:"hand,omitempty"`
	Board *BoardReplay      `json:"board,omitempty"`
	// Same are the indices of the hands of the same cards, or of the games of the
	// same opening, in the orders of the seats.
	Same []int `json:"same"`
}

// BoardReplay is a board game as the page draws it.
type BoardReplay struct {
	Rules  string       `json:"rules"`
	Title  string       `json:"title"`
	Names  []string     `json:"names"` // names of the seats in the rules
	Board  *wire.Board  `json:"board"`
	Moves  []wire.Move  `json:"moves"`
	Book   int          `json:"book"` // the first moves that were given
	View   *wire.View   `json:"view"` // view of the final position
	Result *wire.Result `json:"result"`
	Fault  string       `json:"fault,omitempty"`
}

// maxListed is how many games a list has at most.
const maxListed = 200

func (s *Server) games(r *http.Request) (any, error) {
	run, x, err := s.shard(r)
	if err != nil {
		return nil, err
	}
	from, err := number(r, "from", 0)
	if err != nil {
		return nil, err
	}
	limit, err := number(r, "limit", 50)
	if err != nil {
		return nil, err
	}
	limit = min(limit, maxListed)
	list := Games{
		Run: run.Plan.Name, Shard: x.Number, Table: x.Table, Names: run.Plan.Names(x.Table), Total: x.Tally.Games,
		From: from, Games: []Entry{},
	}
	err = each(run, x, func(index int, h *plan.Hand, g *arena.GameRecord) (more bool, err error) {
		if index >= from {
			list.Games = append(list.Games, entryOf(run.Plan, index, h, g))
		}
		return len(list.Games) < limit, nil
	})
	return list, err
}

func (s *Server) game(r *http.Request) (any, error) {
	run, x, err := s.shard(r)
	if err != nil {
		return nil, err
	}
	wanted, err := number(r, "index", 0)
	if err != nil {
		return nil, err
	}
	var found *Game
	err = each(run, x, func(index int, h *plan.Hand, g *arena.GameRecord) (more bool, err error) {
		if index != wanted {
			return true, nil
		}
		found = &Game{Run: run.Plan.Name, Shard: x.Number, Total: x.Tally.Games, Entry: entryOf(run.Plan, index, h, g)}
		if h != nil {
			deal := h.Deal - x.First
			for order := range run.Plan.Orders {
				found.Same = append(found.Same, order*x.Count+deal)
			}
			told := handOf(run.Plan, h).JSON(run.Plan.Name)
			told.Hand = uint32(h.Deal)
			found.Hand = &told
			return false, nil
		}
		found.Same = []int{index &^ 1, index | 1}
		found.Board, err = s.boardOf(run.Plan, g)
		return false, err
	})
	if err == nil && found == nil {
		err = problem{http.StatusNotFound, fmt.Errorf("shard %d has no game %d", x.Number, wanted)}
	}
	return found, err
}

// shard reads the shard that a request names.
func (s *Server) shard(r *http.Request) (*plan.Run, *plan.ShardResult, error) {
	run, err := named(r, s.db)
	if err != nil {
		return nil, nil, err
	}
	wanted, err := number(r, "shard", 0)
	if err != nil {
		return nil, nil, err
	}
	for x, err := range s.db.Results(r.Context(), run, wanted) {
		if err != nil {
			return nil, nil, err
		}
		if x.Number == wanted {
			return run, x, nil
		}
		break
	}
	return nil, nil, problem{http.StatusNotFound, fmt.Errorf("shard %d of %s is not played", wanted, run.Plan.Name)}
}

// number returns a number, from 0, of a request.
func number(r *http.Request, key string, other int) (int, error) {
	text := r.URL.Query().Get(key)
	if text == "" {
		return other, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, badRequest("%s: %q is not a number from 0 up", key, text)
	}
	return n, nil
}

// each calls f with every game of a shard, a hand or a board game, until it returns
// false.
func each(run *plan.Run, x *plan.ShardResult, f func(int, *plan.Hand, *arena.GameRecord) (bool, error)) error {
	if run.Plan.Kind == plan.Board {
		games, err := plan.BoardGames(run.Plan, x.Shard, x.Packed)
		for i := range games {
			if more, err := f(i, nil, &games[i]); err != nil || !more {
				return err
			}
		}
		return err
	}
	g, err := run.Plan.Acpc()
	if err != nil {
		return err
	}
	index := 0
	for h, err := range plan.Hands(run.Plan, g, x.Shard, x.Packed) {
		if err != nil {
			return err
		}
		if more, err := f(index, h, nil); err != nil || !more {
			return err
		}
		index++
	}
	return nil
}

// handOf returns a hand as texts want it.
func handOf(p *plan.Plan, h *plan.Hand) *history.Hand {
	n := h.State.Game().NumPlayers
	out := &history.Hand{State: *h.State, Values: slices.Clone(h.Values[:n])}
	for _, player := range h.Players[:n] {
		out.Names = append(out.Names, p.Players[player].Name)
	}
	return out
}

func entryOf(p *plan.Plan, index int, h *plan.Hand, g *arena.GameRecord) Entry {
	if g != nil {
		e := Entry{
			Index: index, Players: []string{g.First, g.Second}, Values: make([]float64, 2),
			How: g.How, Moves: len(g.Moves),
		}
		first := g.Number % 2 // the seat of the table's first player, whose score is there
		e.Values[first], e.Values[1-first] = g.Score, 1-g.Score
		return e
	}
	hand := handOf(p, h)
	e := Entry{
		Index: index, Players: hand.Names, Values: hand.Values, Deal: h.Deal, Order: h.Order, Betting: hand.Betting(),
	}
	e.Pot = h.State.Pot().Chips()
	return e
}

// boardOf plays a game again.
func (s *Server) boardOf(p *plan.Plan, g *arena.GameRecord) (*BoardReplay, error) {
	i := slices.IndexFunc(s.Rules, func(r game.Rules) bool { return r.About().Name == p.Game })
	if i < 0 {
		return nil, fmt.Errorf("no rules of %s", p.Game)
	}
	about := s.Rules[i].About()
	game, err := s.Rules[i].New(g.Options)
	if err != nil {
		return nil, err
	}
	b := &BoardReplay{
		Rules: about.Name, Title: about.Title, Names: about.Seats, Board: game.Board(), Moves: []wire.Move{},
		Book: g.Book, Fault: g.Fault,
	}
	for turn, text := range g.Moves {
		seat := 0
		if game.ToMove()[1] {
			seat = 1
		}
		move, err := game.Check(seat, text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", turn+1, err)
		}
		moves := make([]string, len(about.Seats))
		moves[seat] = move
		if err := game.Play(moves); err != nil {
			return nil, fmt.Errorf("move %d: %w", turn+1, err)
		}
		b.Moves = append(b.Moves, wire.Move{Turn: turn, Seat: seat, Move: move})
	}
	b.View = game.View()
	if b.Result = game.Result(); b.Result == nil {
		b.Result = &wire.Result{Winner: -1, Score: make([]float64, len(about.Seats)), How: g.How}
		for seat, value := range entryOf(p, 0, nil, g).Values {
			b.Result.Score[seat] = value
			if value == 1 {
				b.Result.Winner = seat
			}
		}
	}
	return b, nil
}
