package boards

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gamebots/hexproto/game"
	"gamebots/hexproto/nim"
	"gamebots/hexproto/wire"
)

// NimName is the name of the rules.
const NimName = "nim"

// Nim is the rules of Nim. Moves are written as OpenSpiel writes them.
type Nim struct{}

var (
	_ game.Rules   = Nim{}
	_ game.Analyst = Nim{}
)

// NimOptions are the options of a game of Nim.
type NimOptions struct {
	Heaps   []int `json:"heaps"`
	Misere  bool  `json:"misere"`   // whoever takes the last stick loses
	MaxTake int   `json:"max_take"` // sticks in one move at most; 0 is any number
}

func (o NimOptions) board() (*nim.Board, error) {
	return nim.New(nim.Rules{Misere: o.Misere, MaxTake: o.MaxTake}, o.Heaps...)
}

// defaultNim is the game that OpenSpiel plays by default.
func defaultNim() NimOptions { return NimOptions{Heaps: []int{1, 3, 5, 7}, Misere: true} }

// About describes the game.
func (Nim) About() wire.Rules {
	o := defaultNim()
	return wire.Rules{
		Name: NimName, Title: "Nim", Seats: []string{nim.First.String(), nim.Second.String()},
		ByLot: true, // the XOR rule wins for one side
		Options: []wire.Option{
			{Name: "heaps", Title: "Sticks in each row", Kind: "ints", Default: mustJSON(o.Heaps), Max: nim.MaxSize},
			{
				Name: "misere", Title: "Misère: who takes the last stick loses", Kind: "bool",
				Default: mustJSON(o.Misere),
			},
			{
				Name: "max_take", Title: "At most in one move, 0 for any", Kind: "int",
				Default: mustJSON(o.MaxTake), Max: nim.MaxSize,
			},
		},
	}
}

// New starts a game.
func (Nim) New(options json.RawMessage) (game.Game, error) {
	// Heaps in the options replace the default ones. Decoded over them they would
	// overwrite the first ones only.
	o := defaultNim()
	heaps := o.Heaps
	o.Heaps = nil
	if err := readOptions(options, &o); err != nil {
		return nil, err
	}
	if o.Heaps == nil {
		o.Heaps = heaps
	}
	board, err := o.board()
	if err != nil {
		return nil, err
	}
	return &nimGame{o, board}, nil
}

type nimGame struct {
	options NimOptions
	board   *nim.Board
}

func (g *nimGame) Options() json.RawMessage { return mustJSON(g.options) }

func (g *nimGame) ToMove() []bool {
	to := make([]bool, 2)
	if !g.board.Over() {
		to[g.board.Turn()] = true
	}
	return to
}

func (g *nimGame) Parse(_ int, text string) (string, error) {
	m, err := nim.OpenSpiel.Parse(text)
	if err != nil {
		return "", err
	}
	return g.name(m), nil
}

func (g *nimGame) Check(_ int, text string) (string, error) {
	m, err := nim.OpenSpiel.Parse(text)
	if err != nil {
		return "", err
	}
	if err := g.board.Check(m); err != nil {
		return "", fmt.Errorf("%s %w", g.name(m), err)
	}
	return g.name(m), nil
}

func (g *nimGame) name(m nim.Move) string { return nim.OpenSpiel.Format(m) }

func (g *nimGame) Play(moves []string) error {
	m, err := nim.OpenSpiel.Parse(moves[g.board.Turn()])
	if err != nil {
		return err
	}
	return g.board.Play(m)
}

func (g *nimGame) CanSwap() bool { return false }

func (g *nimGame) Result() *wire.Result {
	if !g.board.Over() {
		return nil
	}
	return wire.WonBy(int(g.board.Winner()), 2, "last")
}

func (g *nimGame) Board() *wire.Board {
	return &wire.Board{Kind: "heaps", Heaps: g.options.Heaps, MaxTake: g.options.MaxTake, Misere: g.options.Misere}
}

func (g *nimGame) View() *wire.View {
	heaps := g.board.Heaps()
	v := &wire.View{Legal: []string{}, Text: heaps.Format(g.board.NumHeaps(), " ")}
	for heap := range g.board.NumHeaps() {
		v.Heaps = append(v.Heaps, heaps.Size(heap))
	}
	for _, m := range g.board.AppendMoves(nil) {
		v.Legal = append(v.Legal, g.name(m))
	}
	if n := g.board.NumMoves(); n > 0 {
		v.Last = []string{g.name(g.board.Move(n - 1))}
	}
	return v
}

// Record writes the format "txt", a line of text with the moves and the winner by the
// rules. A game that ended otherwise is unfinished in it.
func (g *nimGame) Record(format string, _ *wire.Game) (string, bool) {
	return g.board.String() + "\n", format == "txt"
}

// Methods names the method of Analyse.
func (Nim) Methods() []string { return []string{"XOR rule"} }

// Analyse proves by the XOR rule which moves win. The others lose, to the reply in their
// line.
func (Nim) Analyse(_ context.Context, game game.Game, _ string) ([]wire.Rated, error) {
	g, ok := game.(*nimGame)
	if !ok {
		return nil, errors.New("not a game of Nim")
	}
	var wins, losses []wire.Rated
	rules := g.board.Rules()
	for _, m := range g.board.AppendMoves(nil) {
		after := *g.board
		if err := after.Play(m); err != nil {
			return nil, err
		}
		r := wire.Rated{Move: g.name(m), Line: []string{g.name(m)}}
		if rules.Lost(after.Heaps()) {
			r.Value, r.Proof = 1, wire.ProvedWin
			wins = append(wins, r)
			continue
		}
		if r.Proof = wire.ProvedLoss; !after.Over() {
			reply, _ := rules.Best(after.Heaps())
			r.Line = append(r.Line, nim.OpenSpiel.Format(reply))
		}
		losses = append(losses, r)
	}
	return append(wins, losses...), nil
}

// NimBoard returns the board of a game that Nim started, and nil for any other game.
// The board belongs to the game.
func NimBoard(g game.Game) *nim.Board {
	if n, ok := g.(*nimGame); ok {
		return n.board
	}
	return nil
}
