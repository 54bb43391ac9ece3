package server

import (
	"testing"

	"gamebots/hexproto/server/engines"
)

// The time that bots think is charged to a player who is still there, and who has left does
// not attend the game.
func TestPeopleOfSeats(t *testing.T) {
	bot, ada, eve := &account{name: "bot", builtin: &engines.Bot{}}, &account{name: "ada"}, &account{name: "eve"}
	s := seating{seats: []*account{bot, ada, bot, eve}}
	all := []bool{true, true, true, true}
	for _, c := range []struct {
		gone     []int
		person   *account
		present  []bool
		attended bool
	}{
		{nil, ada, all, true},
		{[]int{1}, eve, all, true},
		{[]int{1}, eve, []bool{true, true, true, false}, false},
		{[]int{3}, ada, []bool{true, false, true, true}, false},
		{[]int{3, 1}, nil, all, false},
	} {
		if person, attended := s.seats.person(c.gone), s.seats.attended(c.present, c.gone); person != c.person ||
			attended != c.attended {
			t.Errorf("%+v: charged is %v, attended %v", c, person, attended)
		}
	}
}
