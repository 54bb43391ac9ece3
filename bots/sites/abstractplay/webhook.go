package abstractplay

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"gamebots/bots/sites"
	"gamebots/hexproto/havannah"
)

// The limits of what the site can ask.
const (
	maxGames = 1_000
	maxID    = 128 // bytes
)

// message is a request of the site.
type message struct {
	Verb     string   `json:"verb"`
	MetaGame string   `json:"metaGame"`
	Variants []string `json:"variants"`

	// Of a challenge.
	ClockStart  hours    `json:"clockStart"`
	ClockMax    hours    `json:"clockMax"`
	Challengers []string `json:"challengers"` // ids

	// Of the request for a move.
	Game       string     `json:"gameid"`
	Clock      hours      `json:"clockCurr"` // the bot's, rounded
	NumPlayers int        `json:"numPlayers"`
	Moves      [][]string `json:"moves"` // grouped by rounds
}

// hours is a time in hours.
type hours float64

// duration returns h, but at most a hundred years.
func (h hours) duration() time.Duration {
	return time.Duration(min(max(float64(h), 0), 100*365*24) * float64(time.Hour))
}

// metaGame is the site's name of Havannah.
const metaGame = "havannah"

// take takes a request, and returns the status and the text of the answer.
func (b *Bot) take(r sites.Signed) (status int, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if status, text = b.state.Nonces.Use(r); status != 0 {
		return status, text
	}
	var m message
	err := json.Unmarshal(r.Body, &m)
	switch {
	case err != nil:
	case m.Verb == "challenge":
		status, text, err = http.StatusOK, "accepted", b.challenged(&m)
	case m.Verb == "move":
		status = http.StatusAccepted
		text, err = b.asked(&m)
	default:
		err = fmt.Errorf("unknown verb %.40q", m.Verb)
	}
	if err != nil {
		b.Log.Info("refused", "verb", m.Verb, "reason", err)
		status, text = http.StatusBadRequest, err.Error()
	}
	if !b.save() {
		return http.StatusServiceUnavailable, "the request could not be stored"
	}
	return status, text
}

// sides are those of the boards, by the site's variants.
var sides = map[string]int{"size-4": 4, "size-6": 6, "": 8, "size-10": 10}

// side returns the side of the board, or an error if the game is none that the site has of Havannah.
func (m *message) side() (int, error) {
	side, ok := sides[strings.Join(m.Variants, " ")]
	if m.MetaGame != metaGame || !ok {
		return 0, fmt.Errorf("%.40q with variants %.80q: this bot plays %s with none, size-4, size-6 or size-10",
			m.MetaGame, m.Variants, metaGame)
	}
	return side, nil
}

// challenged accepts a challenge, or returns why not. The caller holds the lock.
func (b *Bot) challenged(m *message) error {
	side, err := m.side()
	if err != nil {
		return err
	}
	a, start, most := &b.Settings.Accept, m.ClockStart, max(m.ClockStart, m.ClockMax)
	player := strings.Join(m.Challengers, " ")
	running, with := b.state.running(player)
	switch {
	case len(m.Challengers) != 1 || len(player) > maxID:
		return errors.New("challengers: Havannah has one opponent")
	case !a.Enabled:
		return errors.New("the bot takes no challenges now")
	case !slices.Contains(b.Settings.Sides(), uint64(side)):
		return fmt.Errorf("the bot does not play on side %d", side)
	case start.duration() < a.MinClock:
		return fmt.Errorf("the clock starts with %g hours, and the bot wants %v", start, a.MinClock)
	case a.MaxClock > 0 && most.duration() > a.MaxClock:
		return fmt.Errorf("a clock may have %g hours, and the bot wants at most %v", most, a.MaxClock)
	case len(a.Allow) > 0 && !slices.Contains(a.Allow, player), slices.Contains(a.Block, player):
		return errors.New("the bot does not play with this player")
	case running >= int(a.Games):
		return fmt.Errorf("%d games are enough", a.Games)
	case with >= int(a.PerPlayer):
		return fmt.Errorf("%d games with a player are enough", a.PerPlayer)
	}
	b.Log.Info("challenge accepted", "side", side, "clock_hours", start, "from", player)
	b.state.Challenges = append(b.state.Challenges, challenge{side, player, most, time.Now()})
	return nil
}

// asked takes the position of a game in which the bot is to move. The caller holds the lock.
func (b *Bot) asked(m *message) (text string, err error) {
	side, err := m.side()
	if err != nil {
		return "", err
	}
	board, err := havannah.New(side)
	if err == nil {
		err = board.PlayAll(havannah.AbstractPlay, slices.Concat(m.Moves...))
	}
	g := b.state.Games[m.Game]
	switch {
	case err != nil:
		return "", fmt.Errorf("moves: %w", err)
	case board.NumMoves() > 1 && board.Move(1) == havannah.Swap:
		return "", errors.New("moves: the site has no swap")
	case board.Over():
		return "", errors.New("moves: they end the game, there is nothing to answer")
	case m.Game == "" || len(m.Game) > maxID || m.NumPlayers != 2:
		return "", errors.New("want a gameid and 2 for numPlayers")
	case g == nil && !b.state.room():
		return "", fmt.Errorf("the bot plays %d games", maxGames)
	case g == nil:
		g = b.state.begin(m.Game, side)
		b.Log.Info("game", "game", m.Game, "side", side, "against", g.Challenge.Player)
	}
	p, log := position(board.String()), b.Log.With("game", m.Game, "moves", board.NumMoves())
	own := g.Move != "" && p == g.Position.after(g.Move)
	switch {
	case p.begins(g.Position) && (p != g.Position || g.Done != refused), own && board.NumMoves() > 1:
		log.Info("asked again, or where the opponent is to move")
		return "nothing new", nil
	case own:
		log.Info("the opponent has taken over the first stone")
	}
	*g = game{Challenge: g.Challenge, Position: p, Asked: time.Now(), Left: m.Clock, Hopeless: g.Hopeless}
	b.start(m.Game, g)
	return "thinking", nil
}
