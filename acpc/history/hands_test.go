package history

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The hands of logs and of PHH files come one after the other, up to the first error.
func TestHands(t *testing.T) {
	const line = "STATE:0:r300c/cr600c/cc/r1200f:9h7d|9cQc/6hTd7s/Qd/Ts:600|-600:Al|Bo\n"
	g, folder := gameOf(t, nolimit2), t.TempDir()
	write := func(name string, text []byte) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	log := write("a.log", []byte(line+strings.Replace(line, "STATE:0", "STATE:1", 1)))
	phh := write("b.PHHS", toPHH(t, NewLogReader(strings.NewReader(line), "a.log", g)))
	const text = "STATE:1:cc/cc/cc/cc:Js4s|9s5h/6h8s8c/Qs/Qd:-100|100:Al|Bo\n"
	other := write("c.phhs", toPHH(t, NewLogReader(strings.NewReader(text), "c.log", gameOf(t, normal2))))
	count := func(files ...string) (n int, err error) {
		for hand, err := range Hands(files, g) {
			if err != nil {
				return n, err
			}
			if n++; hand.Game() != g {
				t.Errorf("hand %d is of another definition", n)
			}
		}
		return n, nil
	}
	if n, err := count(log, phh, log); n != 5 || err != nil {
		t.Errorf("%d hands, want 5: %v", n, err)
	}
	n, err := count(phh, other, log)
	wrong, ok := errors.AsType[*OtherGameError](err)
	if n != 1 || !ok || wrong.Game != g.Name || !strings.Contains(err.Error(), "c.phhs") ||
		!strings.Contains(wrong.Hint(), g.Name) {
		t.Errorf("%d hands before those of another game: %v", n, err)
	}
	if n, err := count(log, filepath.Join(folder, "none")); n != 2 || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%d hands before a file that there is not: %v", n, err)
	}
	for range Hands([]string{log, filepath.Join(folder, "none")}, g) {
		break // nothing after it is read
	}
}
