package server

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gamebots/hexproto/server/internal/glicko"
)

func TestSmallest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, maxListed - 1, maxListed, maxListed + 1, 3000} {
		all := random.Perm(n)
		sorted := slices.Sorted(slices.Values(all))
		if got := smallest(all, cmp.Compare); !slices.Equal(got, sorted[:min(n, maxListed)]) {
			t.Errorf("of %d: %v", n, got)
		}
	}
}

// BenchmarkLobby measures how long the lock is held with many accounts in the lobby.
func BenchmarkLobby(b *testing.B) {
	l := &lobby{conns: map[*conn]bool{}, games: &games{}}
	for i := range 5000 {
		l.conns[&conn{account: newAccount(fmt.Sprintf("Client%d", i), false, 0, glicko.New())}] = true
	}
	for b.Loop() {
		l.state()
	}
}
