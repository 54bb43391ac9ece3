package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Archives have the same bytes whenever and in whatever order their files were written.
func TestSameBytes(t *testing.T) {
	src := source{version: "0.2.0", time: time.Unix(1_800_000_000, 0).UTC()}
	pack := func(archive string, names ...string) []byte {
		t.Chdir(t.TempDir())
		var files []file
		for i, name := range names {
			if err := os.WriteFile(name, []byte("text of "+name), 0o600); err != nil {
				t.Fatal(err)
			}
			at := time.Unix(int64(1000*i), 0)
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
			files = append(files, file{name: name, from: name, mode: 0o644})
		}
		if err := src.archive("gamebots", archive, files); err != nil {
			t.Fatal(err)
		}
		made, err := filepath.Glob("gamebots.*")
		if err != nil || len(made) != 1 {
			t.Fatal(made, err)
		}
		data, err := os.ReadFile(made[0])
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, goos := range []string{"linux", "windows"} {
		if a, b := pack(goos, "a", "b"), pack(goos, "b", "a"); !bytes.Equal(a, b) {
			t.Errorf("two archives for %s differ", goos)
		}
	}
	var a, b bytes.Buffer
	for _, w := range []io.Writer{&a, &b} {
		if err := src.tar(w, "gamebots", []file{{name: "x", data: []byte("x"), mode: 0o755}}, nobody); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two layers differ")
	}
}

// What lies about in a checkout is no part of a release.
func TestStrays(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"own", "stray"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "own"}} {
		if _, err := output(t.Context(), "git", args...); err != nil {
			t.Fatal(err)
		}
	}
	if files, err := matching(t.Context(), "*"); err != nil || len(files) != 1 || files[0].name != "own" {
		t.Errorf("%v, %v", files, err)
	}
}

func TestUnknown(t *testing.T) {
	if _, err := matching(t.Context(), "no-such-folder/*"); err == nil {
		t.Error("no file is no error")
	}
	if _, err := strategies(t.Context(), []string{"no-such-game"}); err == nil {
		t.Error("no strategy is no error")
	}
	if _, err := modules("release_test.go"); err == nil {
		t.Error("a text has modules")
	}
	if _, err := output(context.Background(), "go", "no-such-command"); err == nil {
		t.Error("a failure is no error")
	}
}

// The wheel has the same bytes each time. Without network it is installed, and its README, typed in, works: by pip in
// an environment of its own, or unpacked where Debian's Python has no pip.
func TestWheel(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no Python, or another system")
	}
	t.Chdir("../..")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	src := source{version: "0.0.1-dev", time: time.Unix(1_800_000_000, 0).UTC()}
	program, err := src.program(t.Context(), runtime.GOOS, runtime.GOARCH)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(programs)
	full, err := strategies(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var wheel string
	var first []byte
	for i := range 2 {
		if err := src.wheel(t.Context(), runtime.GOOS+"/"+runtime.GOARCH, slices.Concat(program, full)); err != nil {
			t.Fatal(err)
		}
		made, err := filepath.Glob(out + "/gamebots-0.0.1.dev0-*.whl")
		if err != nil || len(made) != 1 {
			t.Fatal(made, err)
		}
		if wheel, err = filepath.Abs(made[0]); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(wheel)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = data
		} else if !bytes.Equal(first, data) {
			t.Error("two wheels differ")
		}
	}
	defer os.Remove(wheel)
	if t.Logf("the wheel has %d bytes", len(first)); len(first) > 70_000_000 {
		t.Error("more than 70 MB")
	}
	readme, err := os.ReadFile(pythonSource + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	typed := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(readme)[1]
	folder := t.TempDir()
	run := func(path, name string, args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = folder, []string{"HOME=" + folder, "PATH=" + path, "PIP_NO_INDEX=1"}
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	bin := filepath.Join(folder, "venv", "bin")
	path := bin + ":/usr/bin:/bin"
	if text, err := run(path, python, "-m", "venv", "venv"); err == nil {
		python = filepath.Join(bin, "python")
		if text, err := run(path, python, "-m", "pip", "install", "-q", wheel); err != nil {
			t.Fatal(text)
		}
	} else if text, err = run(path, python, "-m", "zipfile", "-e", wheel, "."); err != nil {
		t.Fatal(text)
	} else {
		t.Log("no venv: unpacked")
		own := filepath.Join(folder, "gamebots", "bin")
		if err := os.Chmod(filepath.Join(own, "gamebots"), 0o755); err != nil { // zipfile forgets modes
			t.Fatal(err)
		}
		path = own + ":" + path
	}
	if text, err := run(path, python, "-c", string(typed)); err != nil || !strings.Contains(text, "leduc.html") {
		t.Errorf("%v:\n%s", err, text)
	}
	// Bots without OpenSpiel: one that searches, one that trains, and one with a strategy that comes along.
	const bots = `from gamebots.openspiel import Bot
print(Bot("havannah").answer(0, "", [0, 1, 2, 15, 16, 17, 112]))
print(Bot("kuhn_poker").answer(0, "2", [0, 1]))
holdem = "universal_poker(betting=nolimit,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,numRanks=13,numHoleCards=2," \
    "numBoardCards=0 3 1 1,stack=20000 20000,bettingAbstraction=fullgame)"
shown = "[Round 0][Player: 1][Pot: 200][Money: 19900 19950][Private: AsKs][Public: ][Sequences: ]"
print(Bot(holdem, seed=1).answer(1, shown, [0, 1, *range(200, 20001)]))`
	if text, err := run(path, python, "-c", bots); err != nil || strings.Count(text, "\n") != 3 {
		t.Errorf("%v:\n%s", err, text)
	}
}
