package boards

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"gamebots/hexproto/game"
	"gamebots/hexproto/matrix"
	"gamebots/hexproto/wire"
)

// MatrixName is the name of the rules.
const MatrixName = "matrix"

// Matrix is the rules of matrix games in rounds. Both players move at once, by
// names of actions. The zero value knows the games of [matrix.Games] only.
type Matrix struct {
	// Parse starts a match of a game that is given as the text of a game file.
	Parse func(text string, rounds int) (*matrix.Match, error)
	// NFG writes the game that a match repeats, for records in that format.
	NFG func(*matrix.Match) []byte
}

var _ game.Rules = Matrix{}

// MatrixOptions are the options of a match.
type MatrixOptions struct {
	Game   string `json:"game"` // its name, or the text of a game file
	Rounds int    `json:"rounds"`
}

func defaultMatrix() MatrixOptions { return MatrixOptions{"rock-paper-scissors", 10} }

func (r Matrix) match(o MatrixOptions) (*matrix.Match, error) {
	if m, found, err := matrix.Named(o.Game, o.Rounds); found {
		return m, err
	}
	if r.Parse == nil || !strings.ContainsAny(o.Game, " \n") {
		return nil, fmt.Errorf("game: %q is neither one of %s nor the text of a game",
			o.Game, strings.Join(matrix.Games(), ", "))
	}
	return r.Parse(o.Game, o.Rounds)
}

// About describes the game.
func (Matrix) About() wire.Rules {
	o := defaultMatrix()
	return wire.Rules{
		Name: MatrixName, Title: "Matrix game", Seats: []string{"row", "column"},
		Options: []wire.Option{
			{Name: "game", Title: "Game: a name, or an .nfg file's text", Kind: "text", Default: mustJSON(o.Game)},
			{Name: "rounds", Title: "Rounds", Kind: "int", Default: mustJSON(o.Rounds), Min: 1, Max: matrix.MaxRounds},
		},
	}
}

// New starts a game.
func (r Matrix) New(options json.RawMessage) (game.Game, error) {
	o := defaultMatrix()
	if err := readOptions(options, &o); err != nil {
		return nil, err
	}
	match, err := r.match(o)
	if err != nil {
		return nil, err
	}
	return &matrixGame{o, match, r.NFG, outline(match)}, nil
}

var _ game.Restarter = (*matrixGame)(nil)

type matrixGame struct {
	options MatrixOptions
	match   *matrix.Match
	nfg     func(*matrix.Match) []byte
	outline string // as Outline returns it
}

func (g *matrixGame) Options() json.RawMessage { return mustJSON(g.options) }

func (g *matrixGame) Restart() game.Game {
	return &matrixGame{g.options, g.match.Restart(), g.nfg, g.outline}
}

// Bytes implements [game.Measured].
func (g *matrixGame) Bytes() int {
	return len(g.options.Game) + g.match.Bytes() + 2*g.match.Rounds()*game.MoveBytes
}

func (g *matrixGame) ToMove() []bool { return []bool{!g.match.Over(), !g.match.Over()} }

func (g *matrixGame) Parse(seat int, text string) (string, error) {
	action, err := g.match.Parse(seat, text)
	if err != nil {
		return "", err
	}
	return g.match.Names(seat)[action], nil
}

func (g *matrixGame) Check(seat int, text string) (string, error) {
	if g.match.Over() {
		return "", matrix.ErrOver
	}
	return g.Parse(seat, text)
}

func (g *matrixGame) Play(moves []string) error {
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
	r := &wire.Result{Winner: g.match.Winner(), Score: make([]float64, 2), How: "payoff"}
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
		min(len(played)+1, g.match.Rounds()), g.match.Rounds(),
		g.match.Total(0).RatString(), g.match.Total(1).RatString())}
	if !g.match.Over() {
		v.Legal, v.LegalSecond = slices.Clone(g.match.Names(0)), slices.Clone(g.match.Names(1))
	}
	if n := len(played); n > 0 {
		v.Last = []string{g.match.Names(0)[played[n-1][0]], g.match.Names(1)[played[n-1][1]]}
	}
	return v
}

// Record writes the formats "txt", the rounds as a line, and "nfg", the game of each
// round.
func (g *matrixGame) Record(format string, _ *wire.Game) (string, bool) {
	switch {
	case format == "txt":
		return g.match.String() + "\n", true
	case format == "nfg" && g.nfg != nil:
		return string(g.nfg(g.match)), true
	}
	return "", false
}

// MatrixMatch returns the match of a game that Matrix started, and nil for any other
// game. The match belongs to the game.
func MatrixMatch(g game.Game) *matrix.Match {
	if m, ok := g.(*matrixGame); ok {
		return m.match
	}
	return nil
}
