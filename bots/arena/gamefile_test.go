package arena

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// A file whose last line was cut off is continued behind the last whole game, and one
// of another series is refused.
func TestGameFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.jsonl")
	s := series()
	s.Games = 4
	var written []*GameRecord
	f, err := openGameFile(path, s, func(*GameRecord) { t.Error("a new file has a game") })
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range play(t, s, 0) {
		if err := json.NewEncoder(f).Encode(g); err != nil {
			t.Fatal(err)
		}
		written = append(written, g)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()-10); err != nil {
		t.Fatal(err)
	}
	var read []*GameRecord
	f, err = openGameFile(path, s, func(g *GameRecord) { read = append(read, g) })
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if !reflect.DeepEqual(read, written[:3]) {
		t.Errorf("%d games are read, want 3 of %d", len(read), len(written))
	}
	s.Seed++
	var bad *GameFileError
	if _, err := openGameFile(path, s, func(*GameRecord) {}); !errors.As(err, &bad) || bad.Game != 0 ||
		!errors.Is(err, ErrOtherSeries) {
		t.Errorf("the file of another series: error %v", err)
	}
	if _, err := openGameFile(os.DevNull, s, func(*GameRecord) {}); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device: error %v", err)
	}
}
