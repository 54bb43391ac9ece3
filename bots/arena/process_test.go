//go:build unix

package arena

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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
			pids := filepath.Join(t.TempDir(), "pids")
			b := script(t, fmt.Sprintf("echo $$ >>%s\n\"$BOT\" bot raise $1 $2 2>&1\n%s", pids, ending))
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			o, err := duplicate(t, b, bot("fold"), 10).Play(ctx)
			if err != nil || o.A.Mean() != 1 {
				t.Errorf("mean %v, want 1; error %v", o.A.Mean(), err)
			}
			groups, err := os.ReadFile(pids)
			if err != nil {
				t.Fatal(err)
			}
			for field := range strings.FieldsSeq(string(groups)) {
				group, err := strconv.Atoi(field)
				if err != nil {
					t.Fatal(err)
				}
				if !gone(group) {
					t.Errorf("group %d of the bot is left", group)
				}
			}
		})
	}
}

// gone reports whether a killed process group has ended, within some seconds.
func gone(group int) bool {
	for range 100 {
		if errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// TestTalkativeBot keeps the end of a failing bot's output.
func TestTalkativeBot(t *testing.T) {
	_, err := duplicate(t, script(t, "yes nonsense | head -c 900000 >&2; echo the reason >&2; exit 3"),
		bot("call"), 10).Play(t.Context())
	if err == nil || !strings.HasSuffix(err.Error(), "exit status 3: nonsense; nonsense; the reason") {
		t.Errorf("error %v", err)
	}
}
