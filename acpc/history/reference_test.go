package history

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"gamebots/acpc"
	"gamebots/internal/testkit"
)

// TestReferenceLogs takes the original dealer's logs to PHH and back, byte for
// byte.
func TestReferenceLogs(t *testing.T) {
	files := append(testkit.ReferenceFiles(t, "acpc/logs/*/*.log"), testkit.ReferenceFiles(t, "acpc/wire/*/*.log")...)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			games, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.game"))
			if err != nil || len(games) != 1 {
				t.Fatalf("games %v beside the log: %v", games, err)
			}
			g := readGame(t, games[0])
			log, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			phh := toPHH(t, NewLogReader(bytes.NewReader(log), file, g))
			again := toLog(t, NewPHHReader(bytes.NewReader(phh), "again.phhs"))
			if !bytes.Equal(again, log) {
				t.Errorf("the log is another after PHH: %s", difference(log, again))
			}
			if dir := os.Getenv("GAMEBOTS_PHH"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)+".phhs"), phh, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func readGame(t *testing.T, file string) *acpc.Game {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := acpc.ParseGame(file, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

type reader interface{ Next() (*Hand, error) }

func each(t *testing.T, r reader, f func(*Hand)) {
	t.Helper()
	for n := 0; ; n++ {
		h, err := r.Next()
		if errors.Is(err, io.EOF) && n > 0 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		f(h)
	}
}

func toPHH(t *testing.T, r reader) (phh []byte) {
	t.Helper()
	var w PHHWriter
	each(t, r, func(h *Hand) {
		var err error
		if phh, err = w.Append(phh, h); err != nil {
			t.Fatal(err)
		}
	})
	return phh
}

func toLog(t *testing.T, r reader) (log []byte) {
	t.Helper()
	each(t, r, func(h *Hand) { log = h.AppendLog(log) })
	return log
}

// difference shows the first lines that differ.
func difference(want, got []byte) string {
	a, b := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return "\nwant " + string(a[i]) + "\ngot  " + string(b[i])
		}
	}
	return "one is longer"
}
