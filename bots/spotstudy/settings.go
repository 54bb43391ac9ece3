package spotstudy

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"gamebots/acpc/ranges"
	"gamebots/configs"
	"gamebots/solvers/resolve/spot"
)

// FromSettings returns the spot of some settings. The error is a [configs.Error].
func FromSettings(c *configs.Spot) (*spot.Spot, error) {
	s := &spot.Spot{
		Pot: int(min(c.Spot.Pot, math.MaxInt)), Stack: int(min(c.Spot.Stack, math.MaxInt)),
		Menu: spot.Menu{
			RaiseCap: int(c.Bets.RaiseCap), AddAllIn: c.Bets.AddAllIn,
			ForceAllIn: c.Bets.ForceAllIn, Merge: c.Bets.Merge,
		},
		Rake: spot.Rake{Part: c.Rake.Percent / 100, Cap: c.Rake.Cap},
	}
	var err error
	if s.Board, err = spot.ParseBoard(c.Spot.Board); err != nil {
		return nil, spotError(err)
	}
	for p, r := range []struct{ key, text string }{{"ranges.oop", c.Ranges.OOP}, {"ranges.ip", c.Ranges.IP}} {
		if s.Ranges[p], err = ranges.Parse(r.text); err != nil {
			return nil, &configs.Error{Key: r.key, Err: err}
		}
	}
	if s.Menu.Bets, err = spot.ParseBets(c.Bets.Bets, false); err != nil {
		return nil, &configs.Error{Key: "bets.bets", Err: err}
	}
	if s.Menu.Raises, err = spot.ParseBets(c.Bets.Raises, true); err != nil {
		return nil, &configs.Error{Key: "bets.raises", Err: err}
	}
	if donks := strings.TrimSpace(c.Bets.Donks); donks != configs.AsBets {
		all, err := spot.ParseBets(cmp.Or(donks, ":"), false) // ":" is none on all streets
		if err != nil {
			return nil, &configs.Error{Key: "bets.donks", Err: err}
		}
		s.Menu.Donks = all[0]
	}
	if err := s.Check(); err != nil {
		return nil, spotError(err)
	}
	if s.Stack == 0 {
		return nil, &configs.Error{Key: "spot.stack", Msg: "0: nothing is left to bet"}
	}
	return s, nil
}

// spotError names the key of a field that cannot be.
func spotError(err error) error {
	if e := (*spot.FieldError)(nil); errors.As(err, &e) {
		return &configs.Error{Key: "spot." + e.Field, Msg: e.Msg}
	}
	return err
}
