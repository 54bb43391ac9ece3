//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A search plays the same games on a GPU as on the CPU, and where a GPU cannot do
// it the CPU does if anything will do.
func TestMatchHavannahPlacement(t *testing.T) {
	match := func(settings, device string, more ...string) (string, string) {
		file := filepath.Join(t.TempDir(), "games.jsonl")
		args := append([]string{"match", "havannah", "--side", "3", "--games", "2", "--out", file,
			"--a", "mcts,leaf=3,batch=2,memory=1,name=a,simulations=8,device=" + device, "--b", "random"}, more...)
		cmd := withDriver(t, settings, args...)
		said, _ := cmd.CombinedOutput()
		games, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		return string(games), string(said)
	}
	want, log := match("devices=0", "cpu")
	if strings.Count(want, `"winner"`) != 2 || strings.Contains(want, "fault") {
		t.Fatalf("on the CPU: %s%s", want, log)
	}
	if got, log := match("", "cuda"); got != want {
		t.Errorf("on a GPU: %s%s\nwant %s", got, log, want)
	}
	if got, log := match("devices=0", "cuda"); got != "" || !strings.Contains(log, "error: --a: ") ||
		!strings.Contains(log, "NO_DEVICE") {
		t.Errorf("without a GPU: %s%s", got, log)
	}
	for _, settings := range []string{"devices=0", "fail=cuModuleLoadDataEx:218"} {
		args := []string{"--a", "mcts,memory=1,name=a,device=auto", "--move-time", "20ms"}
		if got, log := match(settings, "auto", args...); strings.Count(got, `"winner"`) != 2 ||
			strings.Contains(got, "fault") {
			t.Errorf("anywhere, with %s: %s%s", settings, got, log)
		}
	}
}
