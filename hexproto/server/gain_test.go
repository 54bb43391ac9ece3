package server

import (
	"fmt"
	"testing"
	"time"

	"gamebots/hexproto/wire"
)

// However many second accounts somebody has, whatever their ratings are, and however often they lose, they are worth
// fewer than 60 points a day, and each game less than the one before with the same.
func TestPuppets(t *testing.T) {
	at := time.Now()
	defer SetClock(func() time.Time { return at })()
	const kind, puppets, games = "havannah-5", 20, 20 // rated games of two a day, by default
	finish := func(winner, loser *account) (change int) {
		game := &table{record: record{kind: kind, rated: true}, seating: seating{seats: []*account{winner, loser}}}
		return game.count(&transaction{}, &wire.Result{Winner: 0})[0]
	}
	for _, c := range []struct {
		name            string
		player, puppets strength
		pumped          bool // the puppets beat others first
	}{
		{"new accounts", newStrength(), newStrength(), false},
		{"puppets that beat others first", newStrength(), newStrength(), true},
		{"puppets of high ratings", newStrength(), strength{Rating: 2500, Deviation: 45, Volatility: 0.06}, false},
		{"a known player", strength{Rating: 1700, Deviation: 60, Volatility: 0.06}, newStrength(), false},
	} {
		join := func(name string, first strength) *account { return newAccount(name, false, 0, first) }
		ada, others := join("ada", c.player), []*account{}
		for i := range puppets {
			others = append(others, join(fmt.Sprint("puppet", i), c.puppets))
			for j := range games {
				if c.pumped {
					finish(others[i], join(fmt.Sprint("victim", i, "-", j), newStrength()))
				}
			}
		}
		for day := range 3 {
			before := ada.rating(kind, date()).Rating
			for range games {
				for _, puppet := range others {
					finish(ada, puppet)
					at = at.Add(23 * time.Hour / (games * puppets))
				}
			}
			if gain := ada.rating(kind, date()).Rating - before; gain < 1 || gain >= 60 {
				t.Errorf("%s: %.0f points on day %d", c.name, gain, day)
			}
			at = at.Add(24 * time.Hour)
		}
	}
	strong := strength{Rating: 1600, Deviation: 60, Volatility: 0.06}
	ada, bob := newAccount("ada", false, 0, strong), newAccount("bob", false, 0, strong)
	first, second, third := finish(ada, bob), finish(ada, bob), finish(ada, bob)
	if first < 8 || first > 12 || second >= first || third >= second {
		t.Errorf("games with the same opponent change %d, %d, %d", first, second, third)
	}
}
