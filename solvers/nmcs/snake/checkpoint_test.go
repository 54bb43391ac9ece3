package snake

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.checkpoint")
	s := Settings{
		Dimension: 6, Level: 1, Leaf: 1, Seed: 3, Prime: Sequence{0, 1, 2},
	}
	got, err := Load(path, s)
	if err != nil || !reflect.DeepEqual(got, Tally{}) {
		t.Fatalf("without a file: %v, %v", got, err)
	}
	if err := Run(t.Context(), &got, s, 20, 2, nil); err != nil {
		t.Fatal(err)
	}
	if err := Save(path, s, &got); err != nil {
		t.Fatal(err)
	}
	again, err := Load(path, s)
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("saved %v, loaded %v, %v", got, again, err)
	}

	other := s
	other.Seed++
	if _, err := Load(path, other); err == nil || !strings.Contains(err.Error(), "another search") {
		t.Errorf("of another seed: %v", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"runs":20`, `"runs":21`, "21 runs"},
		{`"Moves":[`, `"Moves":[9,`, "dimension 9"},
		{`"Moves":[`, `"Moves":[2,`, "vertex"},
		{`{`, `[`, "invalid character"},
	} {
		damaged := strings.Replace(string(data), c.old, c.new, 1)
		if damaged == string(data) {
			t.Fatalf("no %s in %s", c.old, data)
		}
		if err := os.WriteFile(path, []byte(damaged), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s instead of %s: error %v, want %q", c.new, c.old, err, c.want)
		}
	}
}
