package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Ctrl-C ends a match at the terminal while a bot thinks, too.
func TestInterruptedThinking(t *testing.T) {
	file := filepath.Join(t.TempDir(), "12.strategy")
	train := exec.Command("gamebots", "train", "holdem-limit-12", "--algorithm", "external", "--iterations", "3",
		"-o", file)
	if out, err := train.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	play := exec.Command("gamebots", "play", "poker", "holdem-limit-12", "--against", file, "--solve",
		"1000000", "--seed", "1")
	in, err := play.StdinPipe() // stays open: only the interruption ends the match
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := play.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := play.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte(strings.Repeat("c\n", 4))); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	river, tables := strings.Repeat("┌──┐", 5), 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if !strings.Contains(text.String(), river) || !strings.Contains(lines.Text(), "└──┘") {
			continue
		}
		if tables++; tables == 3 { // the board and both players are drawn, and the last c is typed
			if err := play.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := play.Wait(); err == nil || tables != 3 || !strings.HasSuffix(text.String(), "\n0 hands, 0 chips\n") {
		t.Errorf("%v: %s", err, &text)
	}
}
