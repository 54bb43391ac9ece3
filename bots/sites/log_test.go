package sites

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/history"
	"gamebots/configs"
)

// hands returns finished hands of a game with a comment each.
func hands(t *testing.T, g *acpc.Game, n int) (all []*history.Hand) {
	t.Helper()
	shuffler := acpc.NewShuffler(1)
	for i := range n {
		h := &history.Hand{State: g.NewState(uint32(100 * i)), Names: []string{"a", "b"}, Before: []string{"# luck"}}
		shuffler.Deal(&h.State)
		h.Apply(acpc.Action{Type: acpc.Raise, Size: 300})
		if i%2 == 0 {
			h.Hidden[1] = true
			h.Apply(acpc.Action{Type: acpc.Fold})
		}
		for !h.Finished() {
			h.Apply(acpc.Action{Type: acpc.Call})
		}
		values := h.State.Values()
		h.Values = values[:2]
		all = append(all, h)
	}
	return all
}

// A log that was cut anywhere in its last hand is continued: the bytes are those of a log without a cut.
func TestContinue(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	all := hands(t, g, 4)
	for _, name := range []string{"hands.log", "hands.phhs"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			write := func(from int) {
				t.Helper()
				l := Log{Path: path}
				seen := []uint32(nil)
				err := l.Continue(g, "a", "b", func(h *history.Hand, position int) {
					if seen = append(seen, h.HandID); position != 0 {
						t.Errorf("the position is %d", position)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				if len(seen) != from || from > 0 && seen[from-1] != all[from-1].HandID {
					t.Fatalf("the hands %v are there, not %d", seen, from)
				}
				for _, h := range all[from:] {
					if err := l.Add(h); err != nil {
						t.Fatal(err)
					}
				}
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
			}
			write(0)
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			l := Log{Path: path}
			three := 0
			for _, h := range all[:3] {
				text, err := l.text(h)
				if err != nil {
					t.Fatal(err)
				}
				three += len(text)
			}
			for size := three; size < len(whole); size++ {
				if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
					t.Fatal(err)
				}
				write(3)
				if again, err := os.ReadFile(path); err != nil || string(again) != string(whole) {
					t.Fatalf("cut after %d bytes it is\n%s\n%v", size, again, err)
				}
			}
		})
	}
}

// A file that is no such log is left alone.
func TestContinueForeign(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"my.toml": "[bot]\nkind = \"call\"\n", "my.log": "once\nupon a time\n"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l := Log{Path: path}
		err := l.Continue(g, "a", "b", func(*history.Hand, int) { t.Error("a hand") })
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if again, err := os.ReadFile(path); err != nil || string(again) != text {
			t.Errorf("%s has now %q: %v", name, again, err)
		}
	}
}
