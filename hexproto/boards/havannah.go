package boards

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gamebots/hexproto/game"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
)

// HavannahName is the name of the rules.
const HavannahName = "havannah"

// Havannah is the rules of Havannah.
type Havannah struct{}

var _ game.Rules = Havannah{}

// HavannahOptions are the options of a game of Havannah.
type HavannahOptions struct {
	Side int `json:"side"` // cells along one side of the board
}

// JSON returns the options as rules read them.
func (o HavannahOptions) JSON() json.RawMessage { return mustJSON(o) }

// defaultSide is the size of the game's first boards, which people still play.
const defaultSide = 8

// minRatedSide is the least side of a rated game. On smaller boards it is known which first moves
// win: whoever may swap cannot lose.
const minRatedSide = 5

// ratedBoards are the options of rated games.
var ratedBoards = func() (all []json.RawMessage) {
	for side := minRatedSide; side <= havannah.MaxSide; side++ {
		all = append(all, HavannahOptions{side}.JSON())
	}
	return all
}()

// About describes the game.
func (Havannah) About() wire.Rules {
	return wire.Rules{
		Name: HavannahName, Title: "Havannah", Seats: []string{havannah.White.String(), havannah.Black.String()},
		Options: []wire.Option{{
			Name: "side", Title: "Side of the board", Kind: "int", Default: mustJSON(defaultSide),
			Min: havannah.MinSide, Max: havannah.MaxSide,
		}},
		Rated: ratedBoards,
	}
}

// New starts a game.
func (Havannah) New(options json.RawMessage) (game.Game, error) {
	o := HavannahOptions{defaultSide}
	if err := readOptions(options, &o); err != nil {
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

// Size returns the side of the board.
func (g *havannahGame) Size() int { return g.grid().Side }

// MaxTurns implements [game.Bounded].
func (g *havannahGame) MaxTurns() int { return (g.grid().NumCells - g.board.NumMoves() + 1) / 2 }

// Bytes implements [game.Measured].
func (g *havannahGame) Bytes() int {
	return int(reflect.TypeFor[havannah.Board]().Size()) + (g.grid().NumCells+1)*game.MoveBytes
}

func (g *havannahGame) Options() json.RawMessage {
	return HavannahOptions{g.grid().Side}.JSON()
}

// seat returns the seat of a colour, 0 for white and -1 for none.
func seat(c havannah.Colour) int { return int(c) - int(havannah.White) }

func (g *havannahGame) ToMove() []bool {
	to := make([]bool, 2)
	if !g.board.Over() {
		to[seat(g.board.Turn())] = true
	}
	return to
}

func (g *havannahGame) Parse(_ int, text string) (string, error) {
	m, err := g.grid().Parse(text)
	if err != nil {
		return "", err
	}
	return g.grid().Format(m), nil
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

func (g *havannahGame) Play(moves []string) error {
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
		return &wire.Result{Winner: -1, Score: []float64{0.5, 0.5}, How: "full"}
	default:
		return wire.WonBy(winner, 2, g.board.Won().String())
	}
}

// drawings has a board of each side that was ever drawn: all games have the same.
var drawings [havannah.MaxSide + 1]struct {
	once  sync.Once
	board *wire.Board
}

func (g *havannahGame) Board() *wire.Board {
	d := &drawings[g.grid().Side]
	d.once.Do(func() { d.board = g.draw() })
	return d.board
}

// draw returns a board without stones.
func (g *havannahGame) draw() *wire.Board {
	grid := g.grid()
	b := &wire.Board{
		Kind: "hexagon", Side: grid.Side, Cells: make([]wire.Cell, grid.NumCells),
		Corners: make([]string, 6), Edges: slices.Repeat([][]string{{}}, 6),
	}
	middle := grid.Side - 1
	for c := range b.Cells {
		// A step down a column of the skewed grid goes down and left.
		x := float64(grid.Col(c)-middle) - float64(grid.Row(c)-middle)/2
		y := float64(grid.Row(c)-middle) * math.Sqrt(3) / 2
		b.Cells[c] = wire.Cell{Name: g.name(c), X: round(x), Y: round(y)}
		switch i := bits.TrailingZeros16(uint16(grid.Border(c))); {
		case i < 6:
			b.Corners[i] = b.Cells[c].Name
		case i < 12:
			b.Edges[i-6] = append(b.Edges[i-6], b.Cells[c].Name)
		}
	}
	return b
}

// round keeps four decimals, more than a drawing needs.
func round(x float64) float64 { return math.Round(1e4*x)/1e4 + 0 }

func (g *havannahGame) name(cell int) string { return g.grid().Format(havannah.Move(cell)) }

// Text draws the board for a terminal.
func (g *havannahGame) Text() string { return g.board.Text(nil) }

// cells returns the stones as a view has them.
func (g *havannahGame) cells() string {
	cells := make([]byte, g.grid().NumCells)
	for c := range cells {
		cells[c] = ".01"[g.board.Stone(c)]
	}
	return string(cells)
}

func (g *havannahGame) View() *wire.View {
	v := &wire.View{Legal: []string{}}
	var words strings.Builder
	v.Cells = g.cells()
	for c, stone := range v.Cells {
		if stone != '.' {
			fmt.Fprintf(&words, ", %s %s", g.board.Stone(c), g.name(c))
		}
	}
	v.Text = strings.TrimPrefix(words.String(), ", ")
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

// Record writes the formats "txt", a line of text, and "hgf".
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
		r.Tags = append(r.Tags, havannah.Tag{Key: "termination", Value: end.How},
			havannah.Tag{Key: "won", Value: words[end.Winner+1]})
	}
	switch format {
	case "txt":
		return r.String() + "\n", true
	case "hgf":
		return r.HGF() + "\n", true
	}
	return "", false
}

// Reads implements [game.Reader]: records of Havannah have many forms.
func (Havannah) Reads(string) bool { return false }

// Read implements [game.Reader].
func (Havannah) Read(text string) (*game.Foreign, error) {
	records, err := havannah.ParseGames(text)
	if err != nil {
		return nil, err
	}
	r := records[0]
	tags := slices.DeleteFunc(r.Tags, func(t havannah.Tag) bool { return t.Key != "pw" && t.Key != "pb" })
	short := havannah.Record{Board: r.Board, Resigned: r.Resigned, Tags: tags}
	f := &game.Foreign{
		Options: HavannahOptions{r.Board.Grid().Side}.JSON(), Players: []string{r.Tag("pw"), r.Tag("pb")},
		Resigned: seat(r.Resigned), Record: short.String(),
	}
	for i := range r.Board.NumMoves() {
		f.Moves = append(f.Moves, r.Board.Grid().Format(r.Board.Move(i)))
	}
	for r.Board.Undo() {
	}
	if !r.Board.Empty() {
		return nil, errors.New("the game begins with stones on the board")
	}
	return f, nil
}

var _ game.Reader = Havannah{}

// HavannahBoard returns the board of a game that Havannah started, and nil for
// any other game. The board belongs to the game.
func HavannahBoard(g game.Game) *havannah.Board {
	if h, ok := g.(*havannahGame); ok {
		return h.board
	}
	return nil
}

// SketchHavannah draws a board with stones, given as moves of seats, that are perhaps of no game.
func SketchHavannah(options json.RawMessage, stones []wire.Move) (string, error) {
	var o HavannahOptions
	if err := readOptions(options, &o); err != nil {
		return "", err
	}
	sketch, err := havannah.New(o.Side)
	if err != nil {
		return "", err
	}
	for _, s := range stones {
		m, err := sketch.Grid().Parse(s.Move)
		if err == nil {
			err = sketch.Sketch([...]havannah.Colour{havannah.White, havannah.Black}[s.Seat], m)
		}
		if err != nil {
			return "", err
		}
	}
	return sketch.Text(nil), nil
}
