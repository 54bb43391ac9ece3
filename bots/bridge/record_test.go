package bridge

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"gamebots/hexproto/wire"
)

// The record of a game, which has its chat, is for the owner only.
func TestRecordIsPrivate(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "records")
	if err := writeRecord(folder, &wire.Game{Game: "g1", Said: []wire.Line{{From: "ada", Text: "hello"}}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "g1.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, m, err := wire.FromServer.Decode(text); err != nil || m.(*wire.Game).Said[0].Text != "hello" {
		t.Errorf("%s: %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
