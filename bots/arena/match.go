package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Match is a series whose games are counted and kept in a file, and that may end early: when a sequential test is
// decided, or with an error when a bot fails in all of the first games.
type Match struct {
	Series
	Test *SPRT  // nil for none
	File string // the games, which the match continues; "" for none
	// OnGame, if not nil, is called after every game that is played, with Score and Faults up to date.
	OnGame func(*GameRecord)

	Score  Standing                  // the result of A
	Faults map[string]map[string]int // numbers of games by the bot that failed and by the reason
}

// UnfitError reports a bot that cannot play at all.
type UnfitError struct {
	Bot int // 0 is A, 1 is B
	Err error
}

func (e *UnfitError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UnfitError) Unwrap() error { return e.Err }

// HopelessError reports a bot that has failed in each of the first games.
type HopelessError struct {
	Name  string
	Games int
	Fault string // the last game's fault
}

func (e *HopelessError) Error() string {
	return fmt.Sprintf("%s has failed in each of the first %d games: %s", e.Name, e.Games, e.Fault)
}

// hopeless is the number of games after which a match ends if one bot has failed in all of them.
const hopeless = 4

// Play plays the games that the file does not have. The context's error, too, leaves Score and Faults of the games
// that were played.
func (m *Match) Play(ctx context.Context) (err error) {
	m.Score, m.Faults = Standing{}, map[string]map[string]int{}
	var file *os.File
	if m.File != "" {
		if file, err = openGameFile(m.File, &m.Series, m.count); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
	}
	if m.Score.Games() < m.Games {
		for i, c := range []Contestant{m.A, m.B} {
			if err := c.Check(ctx, m.Rules, m.Options); err != nil {
				return &UnfitError{i, err}
			}
		}
	}
	return m.Series.Play(ctx, m.Score.Games(), func(g *GameRecord) (more bool, err error) {
		m.count(g)
		if m.OnGame != nil {
			m.OnGame(g)
		}
		if n := m.Score.Games(); n == hopeless && g.Fault != "" && m.Failures(m.Loser(g)) == n {
			return false, &HopelessError{m.Loser(g), n, g.Fault}
		}
		if file != nil {
			if err := json.NewEncoder(file).Encode(g); err != nil {
				return false, err
			}
		}
		return m.Test == nil || m.tested() == 0, nil
	})
}

// tested returns what the test has decided by the openings that were played.
func (m *Match) tested() int {
	s := &m.Score.openings
	return m.Test.Decided(s.N, s.Mean(), s.Variance())
}

// count counts a game.
func (m *Match) count(g *GameRecord) {
	m.Score.Add(g.Score)
	if g.Fault == "" {
		return
	}
	loser := m.Loser(g)
	if m.Faults[loser] == nil {
		m.Faults[loser] = map[string]int{}
	}
	m.Faults[loser][g.Fault]++
}

// Loser returns the name of the bot that lost a game that was no draw.
func (m *Match) Loser(g *GameRecord) string {
	if g.Score == 1 {
		return m.B.Name
	}
	return m.A.Name
}

// Failures returns the number of games in which a bot failed, for any reason.
func (m *Match) Failures(bot string) (games int) {
	for _, n := range m.Faults[bot] {
		games += n
	}
	return games
}
