package abstractplay

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"gamebots/bots/sites"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/havannah"
	"gamebots/hexproto/wire"
	"gamebots/internal/atomicfile"
	"gamebots/internal/usererr"
)

// position is that of a game in which the bot is to move, as [havannah.Board.String] writes it.
type position string

// after returns the position once a move is made.
func (p position) after(move string) position { return p + position(" "+move) }

// begins reports whether another position has all moves of p, and perhaps more.
func (p position) begins(other position) bool {
	return strings.HasPrefix(string(other)+" ", string(p)+" ")
}

// wire returns the position as engines know games. They may swap at the second move, which a bot cannot do at the site.
// So they are told of a swap that has been: that exchanges the colours, and the first stone stays the opponent's.
func (p position) wire(id string) (*wire.Game, *havannah.Board, error) {
	board, err := havannah.ParsePosition(string(p))
	if err == nil && board.NumMoves() == 1 {
		err = board.Play(havannah.Swap)
	}
	if err != nil {
		return nil, nil, err
	}
	seat := board.NumMoves() % 2
	g := &wire.Game{
		Game: id, Rules: boards.HavannahName, Options: boards.HavannahOptions{Side: board.Grid().Side}.JSON(),
		Seats: make([]wire.Player, 2), You: seat, Turn: board.NumMoves(), ToMove: []int{seat},
	}
	for i := range board.NumMoves() {
		g.Moves = append(g.Moves, wire.Move{Turn: i, Seat: i % 2, Move: board.Grid().Format(board.Move(i))})
	}
	return g, board, nil
}

// challenge is one that was accepted.
type challenge struct {
	Side   int       `json:"side"`
	Player string    `json:"player"` // the opponent's id
	Clock  hours     `json:"clock"`  // most that a clock may have
	At     time.Time `json:"at"`
}

// game is a game, and the answer to what the site has asked last.
type game struct {
	Challenge challenge `json:"challenge"`
	Position  position  `json:"position"`
	Asked     time.Time `json:"asked"`
	Left      hours     `json:"left"`               // on the bot's clock, when asked
	Move      string    `json:"move,omitempty"`     // "" until it is decided
	Done      string    `json:"done,omitempty"`     // what became of it: a constant, or "" while it is to be sent
	Hopeless  uint64    `json:"hopeless,omitempty"` // answers in a row that the engine has rated so
}

// What became of a move.
const (
	moved   = "moved"
	over    = "over" // it has ended the game, too
	refused = "refused"
)

// state is what a bot keeps in a file.
type state struct {
	Nonces     sites.Nonces     `json:"nonces"`
	Challenges []challenge      `json:"challenges"` // those whose games have not begun
	Games      map[string]*game `json:"games"`
	path       string
}

const (
	// slack is how long a game may be silent beyond its clock before it no longer counts: nobody tells the bot that its
	// opponent has resigned, or lost on time.
	slack = 24 * time.Hour
	// forgotten is how long a game is kept after the last question.
	forgotten = 90 * 24 * time.Hour
)

// readState reads a state from its file, which need not exist.
func readState(path string) (*state, error) {
	s := &state{Nonces: sites.Nonces{}, Games: map[string]*game{}, path: path}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, s.save()
	}
	if err == nil {
		err = json.Unmarshal(text, s)
	}
	if err != nil {
		err = usererr.WithHint(fmt.Errorf("%s: not the state of a bot: %w", path, err),
			"webhook.state names another file")
	}
	return s, err
}

// save writes the state to its file, without what no longer matters.
func (s *state) save() error {
	maps.DeleteFunc(s.Games, func(_ string, g *game) bool { return time.Since(g.Asked) > forgotten })
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return atomicfile.WritePrivate(s.path, text)
}

// begin adds a game, which the oldest challenge on a board of this side has led to.
func (s *state) begin(id string, side int) *game {
	g := new(game)
	if i := slices.IndexFunc(s.Challenges, func(c challenge) bool { return c.Side == side }); i >= 0 {
		g.Challenge = s.Challenges[i]
		s.Challenges = slices.Delete(s.Challenges, i, i+1)
	}
	s.Games[id] = g
	return g
}

// room reports whether there is room for a game. If there is none, games that are over make room.
func (s *state) room() bool {
	if len(s.Games) >= maxGames {
		maps.DeleteFunc(s.Games, func(_ string, g *game) bool { return !g.runs() })
	}
	return len(s.Games) < maxGames
}

// runs reports whether a game is not over, as far as one knows.
func (g *game) runs() bool {
	most := max(g.Challenge.Clock, g.Left).duration() + slack
	return g.Done == "" || g.Done != over && time.Since(g.Asked) <= most
}

// running counts the games that run and those that have not begun, in all and with a player.
func (s *state) running(player string) (all, with int) {
	s.Challenges = slices.DeleteFunc(s.Challenges,
		func(c challenge) bool { return time.Since(c.At) > c.Clock.duration()+slack })
	challenges := slices.Clone(s.Challenges)
	for _, g := range s.Games {
		if g.runs() {
			challenges = append(challenges, g.Challenge)
		}
	}
	for _, c := range challenges {
		if c.Player == player {
			with++
		}
	}
	return len(challenges), with
}
