package bridge

import (
	"context"
	"fmt"

	"gamebots/hexproto/wire"
	"gamebots/internal/usererr"
)

// Tally counts the results of a bot's games.
type Tally struct{ Won, Lost, Drawn int }

// Add counts a game that a seat has played. Aborted games do not count.
func (t *Tally) Add(r *wire.Result, seat int) {
	switch {
	case r.How == wire.Aborted:
	case r.Winner == seat:
		t.Won++
	case r.Winner < 0:
		t.Drawn++
	default:
		t.Lost++
	}
}

func (t Tally) String() string {
	games := usererr.Counted(t.Won+t.Lost+t.Drawn, "game", "games")
	return fmt.Sprintf("%s: %d won, %d lost, %d drawn", games, t.Won, t.Lost, t.Drawn)
}

// Series counts all games of the series of the settings, also those of other processes,
// as the records of the server have them. It returns false if the settings have no series.
func (b *Bridge) Series(ctx context.Context) (t Tally, ok bool, err error) {
	b.mu.Lock()
	name, s := b.name, b.settings.Challenge
	b.mu.Unlock()
	if name == "" || s.Tag == "" || !s.Enabled {
		return t, false, nil
	}
	games, err := b.Client.Summary(ctx, name, s.Tag)
	return Tally{games.Won, games.Lost, games.Drawn}, err == nil, err
}
