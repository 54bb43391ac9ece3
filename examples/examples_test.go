package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"gamebots/acpc/dealer"
	"gamebots/configs"
	"gamebots/internal/testkit"
)

// runs has a test of each example: a function that runs its program in an empty folder, and
// a pattern of what it prints.
var runs = map[string]struct {
	run  func(t *testing.T, program string) string
	want string
}{
	"acpcbot":   {match, `^100 hands, [+-]\d+ chips\n$`},
	"liarsdice": {alone, `^1144 positions; the first player wins 1/9 a game\nwith a 1: \dx\d with probability \S+\n`},
	"search":    {alone, `^take 2 proved: true\n$`},
	"train": {alone, `^dcfr\(1\.5,0,2\), 288 information sets, exploitability 0\.00\d\d chips a hand\n` +
		`(f 0\.\d+\n)?c [01]\.\d+\n$`},
}

// All examples are built and run.
func TestExamples(t *testing.T) {
	mains, err := filepath.Glob("*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", programs, "./...").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tested := 0
	for _, file := range mains {
		name := filepath.Dir(file)
		t.Run(name, func(t *testing.T) {
			example, ok := runs[name]
			if !ok {
				t.Fatal("it has no test")
			}
			tested++
			out := example.run(t, filepath.Join(programs, name))
			if !regexp.MustCompile(example.want).MatchString(out) {
				t.Errorf("it prints %q, want %s", out, example.want)
			}
		})
	}
	if tested != len(runs) {
		t.Errorf("%d of %d examples were found", tested, len(runs))
	}
}

// The recipe of docs/library.md makes a module that imports this one.
func TestModule(t *testing.T) {
	testkit.SlowOnly(t)
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	// The checksums of this module are those of its dependencies.
	for from, to := range map[string]string{"search/main.go": "main.go", "../go.sum": "go.sum"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, to), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"mod", "init", "mybot"},
		{"mod", "edit", "-require", "gamebots@v0.3.0", "-replace", "gamebots=" + root},
		{"mod", "tidy"},
		{"run", "."},
	} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %q: %v\n%s", args, err, out)
		}
	}
}

// alone runs a program without arguments.
func alone(t *testing.T, program string) string {
	return output(t, exec.CommandContext(t.Context(), program))
}

// match seats a program twice at a dealer, and returns what the first prints.
func match(t *testing.T, program string) string {
	game, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	lobby, err := dealer.Listen("127.0.0.1", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := dealer.Match{
		Name: "match", GameFile: "leduc", Game: game, Hands: 100, Seed: 1, Names: []string{"me", "you"},
		Limits: dealer.DefaultLimits,
	}
	me := exec.CommandContext(t.Context(), program, lobby.Addrs()[0])
	you := exec.CommandContext(t.Context(), program, lobby.Addrs()[1])
	ended := make(chan error, 1)
	go func() {
		_, err := m.Host(t.Context(), lobby, dealer.Record{})
		ended <- err
	}()
	if err := you.Start(); err != nil {
		t.Fatal(err)
	}
	out := output(t, me)
	for _, err := range []error{you.Wait(), <-ended} {
		if err != nil {
			t.Error(err)
		}
	}
	return out
}

// output returns what a command prints, run in an empty folder.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = t.TempDir(), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	return string(out)
}
