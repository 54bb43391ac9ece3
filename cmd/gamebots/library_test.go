package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The programs of docs/library.md are built and run as modules outside of this one,
// by the recipe of that page.
func TestLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds three programs")
	}
	page, err := os.ReadFile("../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(page, -1)
	if len(programs) != 3 {
		t.Fatalf("%d programs, want 3", len(programs))
	}
	build := func(t *testing.T, i int) (program string) {
		folder := t.TempDir()
		write(t, filepath.Join(folder, "main.go"), programs[i][1])
		root, err := filepath.Abs("../..")
		if err != nil {
			t.Fatal(err)
		}
		// The checksums of this module are those of its dependencies.
		sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(folder, "go.sum"), sums)
		for _, args := range [][]string{
			{"mod", "init", "mybot"},
			{"mod", "edit", "-require", "gamebots@v0.1.0", "-replace", "gamebots=" + root},
			{"mod", "tidy"},
			{"build", "-o", "mybot", "."},
		} {
			cmd := exec.Command("go", args...)
			cmd.Dir = folder
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
			}
		}
		return filepath.Join(folder, "mybot")
	}
	run := func(t *testing.T, program string, args ...string) string {
		var stderr bytes.Buffer
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir, cmd.Stderr = filepath.Dir(program), &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, &stderr)
		}
		return string(out)
	}
	matches := func(t *testing.T, out, want string) {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("it prints %q, want %s", out, want)
		}
	}

	t.Run("train", func(t *testing.T) {
		matches(t, run(t, build(t, 0)), `^dcfr\(1\.5,0,2\), 288 information sets, exploitability 0\.00\d\d chips a hand\n(f 0\.\d+\n)?c [01]\.\d+\n`)
	})
	t.Run("dealer", func(t *testing.T) {
		bot := build(t, 1)
		dealer := exec.CommandContext(t.Context(), "gamebots", "dealer", "demo", "leduc", "100", "1", "me", "you", "-q", "-l")
		dealer.Dir = t.TempDir()
		ports, err := dealer.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := dealer.Start(); err != nil {
			t.Fatal(err)
		}
		line := make([]byte, 64)
		n, err := ports.Read(line)
		port := strings.Fields(string(line[:n]))
		if err != nil || len(port) != 2 {
			t.Fatalf("the dealer prints %q: %v", line[:n], err)
		}
		other := exec.CommandContext(t.Context(), bot, "127.0.0.1:"+port[1])
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		matches(t, run(t, bot, "127.0.0.1:"+port[0]), `^100 hands, [+-]\d+ chips\n$`)
		if err := other.Wait(); err != nil {
			t.Error(err)
		}
		ports.Close()
		if err := dealer.Wait(); err != nil {
			t.Error(err)
		}
	})
	t.Run("search", func(t *testing.T) {
		matches(t, run(t, build(t, 2)), `^take 2 proved: true\n$`)
	})
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
