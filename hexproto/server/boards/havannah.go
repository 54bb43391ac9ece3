package boards

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"gamebots/hexproto/havannah"
	"gamebots/hexproto/server"
	"gamebots/hexproto/wire"
)

// Havannah is the rules of Havannah. Its one option is the side of the board.
type Havannah struct{}

var _ server.Rules = Havannah{}

type havannahOptions struct {
	Side int `json:"side"`
}

// defaultSide is that of the game's first boards, which people still play.
const defaultSide = 8

// About describes the game.
func (Havannah) About() wire.Rules {
	return wire.Rules{
		Name: "havannah", Title: "Havannah", Seats: [2]string{havannah.White.String(), havannah.Black.String()},
		Options: []wire.Option{{
			Name: "side", Title: "Side of the board", Kind: "int", Default: MustJSON(defaultSide),
			Min: havannah.MinSide, Max: havannah.MaxSide,
		}},
	}
}

// New starts a game.
func (Havannah) New(options json.RawMessage) (server.Game, error) {
	o := havannahOptions{defaultSide}
	if err := ReadOptions(options, &o); err != nil {
		return nil, err
	}
	board, err := havannah.New(o.Side)
	if err != nil {
		return nil, err
	}
	return &havannahGame{board: board}, nil
}

type havannahGame struct{ board *havannah.Board }

func (g *havannahGame) grid() *havannah.Grid { return g.board.Grid() }

func (g *havannahGame) Options() json.RawMessage {
	return MustJSON(havannahOptions{g.grid().Side})
}

// seat returns that of a colour: white is 0.
func seat(c havannah.Colour) int {
	switch c {
	case havannah.White:
		return 0
	case havannah.Black:
		return 1
	}
	return -1
}

func (g *havannahGame) ToMove() (to [2]bool) {
	if !g.board.Over() {
		to[seat(g.board.Turn())] = true
	}
	return to
}

func (g *havannahGame) Check(_ int, text string) (string, error) {
	m, err := g.grid().Parse(text)
	if err != nil {
		return "", err
	}
	if err := g.board.Check(m); err != nil {
		return "", fmt.Errorf("%s: %w", g.grid().Format(m), err)
	}
	return g.grid().Format(m), nil
}

func (g *havannahGame) Play(moves [2]string) error {
	m, err := g.grid().Parse(moves[seat(g.board.Turn())])
	if err != nil {
		return err
	}
	return g.board.Play(m)
}

func (g *havannahGame) CanSwap() bool { return g.board.CanSwap() }

func (g *havannahGame) Result() *wire.Result {
	switch winner := seat(g.board.Winner()); {
	case !g.board.Over():
		return nil
	case winner < 0:
		return &wire.Result{Winner: -1, Score: [2]float64{0.5, 0.5}, How: "full"}
	default:
		r := &wire.Result{Winner: winner, How: g.board.Won().String()}
		r.Score[winner] = 1
		return r
	}
}

func (g *havannahGame) Board() *wire.Board {
	grid := g.grid()
	b := &wire.Board{Kind: "hexagon", Side: grid.Side, Cells: make([]wire.Cell, grid.NumCells)}
	middle := grid.Side - 1
	for c := range b.Cells {
		// Going down a column of the skewed grid is a step down and left.
		x := float64(grid.Col(c)-middle) - float64(grid.Row(c)-middle)/2
		y := float64(grid.Row(c)-middle) * math.Sqrt(3) / 2
		b.Cells[c] = wire.Cell{Name: g.name(c), X: round(x), Y: round(y)}
	}
	return b
}

// round leaves four digits after the point, more than a picture needs.
func round(x float64) float64 { return math.Round(1e4*x)/1e4 + 0 }

func (g *havannahGame) name(cell int) string { return g.grid().Format(havannah.Move(cell)) }

// Text draws the board for a terminal.
func (g *havannahGame) Text() string { return g.board.Text(nil) }

func (g *havannahGame) View() *wire.View {
	v := &wire.View{Legal: []string{}}
	var cells, words strings.Builder
	for c := range g.grid().NumCells {
		s := seat(g.board.Stone(c))
		cells.WriteByte("01."[(s+3)%3])
		if s >= 0 {
			fmt.Fprintf(&words, ", %s %s", g.board.Stone(c), g.name(c))
		}
	}
	v.Cells, v.Text = cells.String(), strings.TrimPrefix(words.String(), ", ")
	for _, m := range g.board.AppendMoves(nil) {
		v.Legal = append(v.Legal, g.grid().Format(m))
	}
	if n := g.board.NumMoves(); n > 0 {
		last := g.board.Move(n - 1)
		if last == havannah.Swap {
			last = g.board.Move(0)
		}
		v.Last = []string{g.grid().Format(last)}
	}
	for _, c := range g.board.WinningCells() {
		v.Won = append(v.Won, g.name(c))
	}
	return v
}

// Record writes "txt", a record as a line of text, and "hgf".
func (g *havannahGame) Record(format string, about *wire.Game) (string, bool) {
	r := havannah.Record{Name: about.Game, Board: *g.board, Tags: []havannah.Tag{
		{Key: "pw", Value: about.Seats[0].Name}, {Key: "pb", Value: about.Seats[1].Name},
	}}
	switch end := about.Result; {
	case end == nil || g.board.Over():
	case end.How == wire.Resigned:
		r.Resigned = havannah.White
		if end.Winner == 0 {
			r.Resigned = havannah.Black
		}
	default:
		words := [...]string{"nobody", "white", "black"}
		r.Tags = append(r.Tags, havannah.Tag{Key: "termination", Value: end.How}, havannah.Tag{Key: "won", Value: words[end.Winner+1]})
	}
	switch format {
	case "txt":
		return r.String() + "\n", true
	case "hgf":
		return r.HGF() + "\n", true
	}
	return "", false
}
