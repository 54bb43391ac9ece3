//go:build unix

package arena

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// script returns a bot that is a shell script; $BOT is our own bot.
func script(t *testing.T, text string) Bot {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bot.sh")
	text = "#!/bin/sh\nBOT=" + os.Args[0] + "\n" + text
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return Bot{Name: "script", Command: []string{file}}
}

// TestLingeringBot has bots that stay when the match is over: one that ends
// when it is asked to, one that has to be killed, and one that leaves a child
// behind. The match counts, and no process is left.
func TestLingeringBot(t *testing.T) {
	for name, ending := range map[string]string{
		"sleeps":          "sleep 600",
		"heeds no signal": "trap '' TERM; sleep 600; sleep 600",
		"leaves a child":  "sleep 600 &",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			held, end := pipe(t)
			b := script(t, fmt.Sprintf("exec 9>%s\n\"$BOT\" bot raise $1 $2 2>&1\n%s", held.Name(), ending))
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			o, err := duplicate(t, b, bot("fold"), 10).Play(ctx)
			if err != nil || o.A.Mean() != 1 {
				t.Errorf("mean %v, want 1; error %v", o.A.Mean(), err)
			}
			end.Close()
			if _, err := io.Copy(io.Discard, held); err != nil { // returns when no process holds the other end
				t.Errorf("a process of the bot is left: %v", err)
			}
		})
	}
}

// pipe returns the two ends of a named pipe. Reading ends when no process has opened it for writing, and fails if that
// takes longer than a killed process lives.
func pipe(t *testing.T) (reader, writer *os.File) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close() })
	if err := reader.SetReadDeadline(time.Now().Add(5 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	if writer, err = os.OpenFile(name, os.O_WRONLY, 0); err != nil {
		t.Fatal(err)
	}
	return reader, writer
}

// TestTalkativeBot keeps the end of a failing bot's output.
func TestTalkativeBot(t *testing.T) {
	_, err := duplicate(t, script(t, "yes nonsense | head -c 900000 >&2; echo the reason >&2; exit 3"),
		bot("call"), 10).Play(t.Context())
	if err == nil || !strings.HasSuffix(err.Error(), "exit status 3: nonsense; nonsense; the reason") {
		t.Errorf("error %v", err)
	}
}
