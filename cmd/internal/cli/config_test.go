package cli

import (
	"os"
	"path/filepath"
	"testing"

	"gamebots/configs"
	"gamebots/internal/usererr"

	"github.com/spf13/pflag"
)

// Flags win over --set, that over the file, and overrides over all. Only what is wrong on the command line is a usage
// error.
func TestLoadConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bot.toml")
	if err := os.WriteFile(file, []byte("bot = {seed = 1, threshold = 0.1, solve = 9}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	load := func(overrides []string, args ...string) (configs.Bot, error) {
		flags := pflag.NewFlagSet("play", pflag.ContinueOnError)
		AddConfig(flags, "bot.seed=7")
		flags.Uint64("seed", 0, "")
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		s := configs.DefaultPoker()
		err := LoadConfig(flags, [][2]string{{"seed", "bot.seed"}}, &s, overrides)
		return s.Bot, err
	}
	b, err := load([]string{"bot.solve=3"},
		"--config", file, "--set", "bot.threshold=0.2", "--set", "bot.seed=2", "--seed", "5")
	if err != nil || b.Seed != 5 || b.Threshold != 0.2 || b.Solve != 3 {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := load(nil, "--set", "bot.sede=1"); !usererr.IsUsage(err) {
		t.Errorf("an unknown key of --set: %v", err)
	}
	if err := os.WriteFile(file, []byte("bot = {sede = 1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := load(nil, "--config", file); err == nil || usererr.IsUsage(err) {
		t.Errorf("an unknown key of the file: %v", err)
	}
}
