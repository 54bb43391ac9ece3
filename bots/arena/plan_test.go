package arena

import (
	"fmt"
	"testing"

	"gamebots/configs"

	"github.com/google/go-cmp/cmp"
)

func TestOrders(t *testing.T) {
	for _, test := range []struct {
		n    int
		all  bool
		want string
	}{
		{2, true, "[[0 1] [1 0]]"}, {2, false, "[[0 1] [1 0]]"},
		{3, false, "[[0 1 2] [1 2 0] [2 0 1]]"},
		{3, true, "[[0 1 2] [0 2 1] [1 0 2] [1 2 0] [2 0 1] [2 1 0]]"},
	} {
		if got := fmt.Sprint(Orders(test.n, test.all)); got != test.want {
			t.Errorf("%d players, %v: %s, not %s", test.n, test.all, got, test.want)
		}
	}
	for _, test := range []struct {
		format     string
		players, n int
		want       [][]int
	}{
		{configs.RoundRobin, 4, 3, [][]int{{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}},
		{configs.Gauntlet, 4, 2, [][]int{{0, 1}, {0, 2}, {0, 3}}},
		{configs.OneMatch, 3, 3, [][]int{{0, 1, 2}}},
		{configs.OneMatch, 3, 2, nil},
		{configs.RoundRobin, 2, 3, nil},
	} {
		got, err := Tables(test.format, test.players, test.n)
		if d := cmp.Diff(test.want, got); d != "" || err == nil == (test.want == nil) {
			t.Errorf("%+v: %v %s", test, err, d)
		}
	}
}
