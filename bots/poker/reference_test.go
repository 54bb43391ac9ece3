package poker

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/internal/testkit"
)

// match describes the players of a recorded match.
type match struct {
	PlayerKind  string   `json:"player_kind"`
	PlayerSeeds []uint64 `json:"player_seeds"`
	Flags       []string `json:"flags"`
}

// TestReferenceExamplePlayer plays the matches that the original's example
// players played with known seeds: each hand's betting must be the log's. The
// cards do not matter to them.
func TestReferenceExamplePlayer(t *testing.T) {
	var logged map[string]match
	readJSON(t, filepath.Join(testkit.ReferenceDir(t, "acpc/logs"), "MANIFEST.json"), &logged)
	for _, log := range testkit.ReferenceFiles(t, "acpc/logs/*/*.log") {
		name := filepath.Base(filepath.Dir(log))
		m, ok := logged[name]
		if !ok {
			t.Errorf("no match %s in the manifest", name)
		}
		if m.PlayerKind == "example_player" {
			t.Run("logs/"+name, func(t *testing.T) { replay(t, log, m) })
		}
	}
	for _, log := range testkit.ReferenceFiles(t, "acpc/wire/*/*.log") {
		dir := filepath.Dir(log)
		var m match
		readJSON(t, filepath.Join(dir, "meta.json"), &m)
		if m.PlayerKind == "ex" {
			t.Run("wire/"+filepath.Base(dir), func(t *testing.T) { replay(t, log, m) })
		}
	}
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// replay plays the hands of a log, from its first on, with the players of the
// match, who move on a seat with every hand unless seats are fixed.
func replay(t *testing.T, log string, m match) {
	seats := make([]acpc.Player, len(m.PlayerSeeds))
	for i, seed := range m.PlayerSeeds {
		seats[i] = newOpponent(t, "random", seed)
	}
	g := gameBeside(t, log)
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	hands := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(line, ":")
		if fields[0] != "STATE" {
			continue
		}
		hand, err := strconv.ParseUint(fields[1], 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		rotation := uint32(hand)
		if slices.Contains(m.Flags, "-f") {
			rotation = 0
		}
		if got := playHand(t, g, rotation, seats); got != fields[2] {
			t.Fatalf("hand %d: betting %s, want %s", hand, got, fields[2])
		}
		hands++
	}
	if hands == 0 {
		t.Errorf("%s has no hand", log)
	}
}

// gameBeside reads the game definition in the folder of a log.
func gameBeside(t *testing.T, log string) *acpc.Game {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(log), "*.game"))
	if err != nil || len(files) != 1 {
		t.Fatalf("one game definition beside %s: got %q, %v", log, files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	g, err := acpc.ParseOriginal(filepath.Base(files[0]), string(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}
