package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
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
