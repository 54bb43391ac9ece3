package boards

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	"gamebots/hexproto/matrix"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
	"gamebots/solvers/nash"
)

// Matrix is the rules of matrix games in rounds. Their options are the game, by its
// name or as the text of an .nfg file, and how many rounds there are. Both players
// move at once, by names of actions.
type Matrix struct{}

var _ server.Rules = Matrix{}

type matrixOptions struct {
	Game   string `json:"game"`
	Rounds int    `json:"rounds"`
}

func defaultMatrix() matrixOptions { return matrixOptions{"rock-paper-scissors", 10} }

// About describes the game.
func (Matrix) About() wire.Rules {
	o := defaultMatrix()
	return wire.Rules{
		Name: "matrix", Title: "Matrix game", Seats: [2]string{"row", "column"},
		Options: []wire.Option{
			{Name: "game", Title: "Game: a name, or an .nfg file's text", Kind: "text", Default: MustJSON(o.Game)},
			{Name: "rounds", Title: "Rounds", Kind: "int", Default: MustJSON(o.Rounds), Min: 1, Max: matrix.MaxRounds},
		},
	}
}

// New starts a game.
func (Matrix) New(options json.RawMessage) (server.Game, error) {
	o := defaultMatrix()
	if err := ReadOptions(options, &o); err != nil {
		return nil, err
	}
	match, err := nash.Repeated(o.Game, o.Rounds)
	if err != nil {
		return nil, err
	}
	return &matrixGame{o, match}, nil
}

type matrixGame struct {
	options matrixOptions
	match   *matrix.Match
}

func (g *matrixGame) Options() json.RawMessage { return MustJSON(g.options) }

func (g *matrixGame) ToMove() [2]bool { return [2]bool{!g.match.Over(), !g.match.Over()} }

func (g *matrixGame) Check(seat int, text string) (string, error) {
	if g.match.Over() {
		return "", matrix.ErrOver
	}
	action, err := g.match.Parse(seat, text)
	if err != nil {
		return "", err
	}
	return g.match.Names(seat)[action], nil
}

func (g *matrixGame) Play(moves [2]string) error {
	var actions [2]int
	for seat, text := range moves {
		var err error
		if actions[seat], err = g.match.Parse(seat, text); err != nil {
			return err
		}
	}
	return g.match.Play(actions[0], actions[1])
}

func (g *matrixGame) CanSwap() bool { return false }

func (g *matrixGame) Result() *wire.Result {
	if !g.match.Over() {
		return nil
	}
	r := &wire.Result{Winner: g.match.Winner(), How: "payoff"}
	for seat := range r.Score {
		r.Score[seat] = float(g.match.Total(seat))
	}
	return r
}

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

func (g *matrixGame) Board() *wire.Board {
	b := &wire.Board{Kind: "matrix", Rows: g.match.Names(0), Columns: g.match.Names(1), Rounds: g.match.Rounds()}
	for i := range b.Rows {
		row := make([][2]float64, len(b.Columns))
		for j := range row {
			row[j] = [2]float64{float(g.match.Payoff(0, i, j)), float(g.match.Payoff(1, i, j))}
		}
		b.Payoffs = append(b.Payoffs, row)
	}
	return b
}

func (g *matrixGame) View() *wire.View {
	played := g.match.Played()
	v := &wire.View{Legal: []string{}, Text: fmt.Sprintf("round %d of %d, payoffs %s and %s",
		min(len(played)+1, g.match.Rounds()), g.match.Rounds(), g.match.Total(0).RatString(), g.match.Total(1).RatString())}
	if !g.match.Over() {
		v.Legal, v.LegalSecond = slices.Clone(g.match.Names(0)), slices.Clone(g.match.Names(1))
	}
	if n := len(played); n > 0 {
		v.Last = []string{g.match.Names(0)[played[n-1][0]], g.match.Names(1)[played[n-1][1]]}
	}
	return v
}

// Record writes "txt", the rounds as a line, and "nfg", the game that was repeated.
func (g *matrixGame) Record(format string, _ *wire.Game) (string, bool) {
	switch format {
	case "txt":
		return g.match.String() + "\n", true
	case "nfg":
		return string(nash.OfMatch(g.match).NFG()), true
	}
	return "", false
}
