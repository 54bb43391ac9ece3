package dealer

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"gamebots/acpc"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, string(got), string(want))
}

// mixed folds, calls or raises by the hand and the number of actions so far,
// so that all three happen everywhere.
func mixed(m *acpc.MatchState) (acpc.Action, error) {
	k := m.HandID + uint32(m.NumActions())
	if minTo, _, ok := m.RaiseBounds(); ok && k%3 == 0 {
		return acpc.Action{Type: acpc.Raise, Size: minTo}, nil
	}
	if m.CanFold() && k%5 == 0 {
		return acpc.Action{Type: acpc.Fold}, nil
	}
	return acpc.Action{Type: acpc.Call}, nil
}

// record plays a match in process and returns its log.
func record(t *testing.T, m *Match, players ...acpc.Player) []byte {
	t.Helper()
	log := m.AppendHeader(nil)
	score, err := m.Play(t.Context(), players, func(s *acpc.State) error {
		log = m.AppendHand(log, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return m.AppendScore(log, score)
}

func TestGoldenLogs(t *testing.T) {
	for _, g := range []*acpc.Game{kuhn(), leduc()} {
		t.Run(g.Name, func(t *testing.T) {
			golden(t, g.Name+".log", record(t, newMatch(g, 20), bot(mixed), bot(mixed)))
		})
	}
	t.Run("fixed", func(t *testing.T) {
		m := newMatch(kuhn(), 20)
		m.Fixed = true
		golden(t, "kuhn-fixed.log", record(t, m, bot(mixed), bot(mixed)))
	})
}

// TestServeLogsAsPlay plays the same match in process and over connections,
// between our dealer and our client.
func TestServeLogsAsPlay(t *testing.T) {
	early := leduc() // with a board card before the first action
	early.Name, early.NumBoardCards[0] = "early", 1
	for _, g := range []*acpc.Game{kuhn(), leduc(), early, ten()} {
		t.Run(g.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMatch(g, 50)
				n := g.NumPlayers
				got := serve(t.Context(), m, slices.Repeat([]peer{playing(g, bot(mixed))}, n)...)
				if got.err != nil {
					t.Fatal(got.err)
				}
				mustBe(t, "warnings", got.errors, "")
				compareLines(t, got.log, string(record(t, m, slices.Repeat([]acpc.Player{bot(mixed)}, n)...)))
			})
		})
	}
}

// TestRotation checks that Seat and Position are each other's inverse, and
// that every seat comes to every position once in n hands.
func TestRotation(t *testing.T) {
	for _, fixed := range []bool{false, true} {
		m := Match{Game: &acpc.Game{NumPlayers: 3}, Fixed: fixed}
		visited := map[[2]int]bool{}
		for _, hand := range []uint32{0, 1, 2, 1<<32 - 1} {
			for p := range 3 {
				seat := m.Seat(hand, p)
				mustBe(t, "position", m.Position(hand, seat), p)
				if hand < 3 {
					visited[[2]int{p, seat}] = true
				}
			}
		}
		mustBe(t, "pairs of position and seat", len(visited), map[bool]int{false: 9, true: 3}[fixed])
	}
}

func TestUnplayableMatches(t *testing.T) {
	for name, spoil := range map[string]func(*Match){
		"no hands":  func(m *Match) { m.Hands = 0 },
		"few names": func(m *Match) { m.Names = m.Names[:1] },
		"many names": func(m *Match) {
			m.Names = append(slices.Clone(m.Names), "Eve")
		},
	} {
		m := newMatch(kuhn(), 1)
		spoil(m)
		if _, err := m.Play(t.Context(), []acpc.Player{bot(call), bot(call)}, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := newMatch(kuhn(), 1).Play(t.Context(), []acpc.Player{bot(call)}, nil); err == nil {
		t.Error("one player: no error")
	}
}

// TestPlayErrors ends matches in process in their second hand.
func TestPlayErrors(t *testing.T) {
	oops := errors.New("oops")
	fails := func(m *acpc.MatchState) (acpc.Action, error) {
		if m.HandID == 1 {
			return acpc.Action{}, oops
		}
		return call(m)
	}
	illegal := func(m *acpc.MatchState) (acpc.Action, error) {
		return acpc.Action{Type: acpc.Call, Size: int32(m.HandID)}, nil
	}
	for name, p := range map[string]bot{"fails": fails, "illegal": illegal} {
		score, err := newMatch(kuhn(), 3).Play(t.Context(), []acpc.Player{bot(call), p}, nil)
		var seat *SeatError
		if !errors.As(err, &seat) || seat.Seat != 1 || seat.Name != "Bob" || seat.Hand != 1 {
			t.Errorf("%s: error %v", name, err)
		}
		if name == "fails" && !errors.Is(err, oops) {
			t.Errorf("error %v does not wrap the player's", err)
		}
		if len(score) != 2 || score[0] == 0 || score[0] != -score[1] {
			t.Errorf("%s: score %v is not the first hand's", name, score)
		}
	}
	hands := 0
	_, err := newMatch(kuhn(), 3).Play(t.Context(), []acpc.Player{bot(call), bot(call)}, func(*acpc.State) error {
		hands++
		return oops
	})
	if err != oops || hands != 1 {
		t.Errorf("after %d hands: error %v", hands, err)
	}
}

// TestPlayAllocates checks that hands cost no memory, only matches do.
func TestPlayAllocates(t *testing.T) {
	allocs := func(hands uint32) float64 {
		m := newMatch(leduc(), hands)
		players := []acpc.Player{bot(call), bot(call)}
		return testing.AllocsPerRun(5, func() { m.Play(t.Context(), players, nil) })
	}
	mustBe(t, "allocations of 100 hands", allocs(100), allocs(1))
}

// TestSession is one hand as both seats see and send it; the page on the
// protocol shows it.
func TestSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMatch(leduc(), 1)
		conns, wait := connect([]peer{answering(m.Game, "{}:r300\r\n"), answering(m.Game)})
		var session bytes.Buffer
		for i, conn := range conns {
			conns[i] = noted{conn, &session, m.Names[i]}
		}
		_, err := m.Serve(t.Context(), conns, Record{Log: &session})
		wait()
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "session.txt", session.Bytes())
		page, err := os.ReadFile("../../docs/acpc-protocol.md")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(page, session.Bytes()) {
			t.Error("docs/acpc-protocol.md does not show testdata/session.txt as it is")
		}
	})
}
