package main

import (
	"context"
	"io"
	"path/filepath"
	"testing"
	"time"

	"gamebots/internal/testkit"
)

// A server of jobs has done what it should when it is interrupted.
func TestGridServer(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // where the user's tokens are
	serve := func(args ...string) (end func()) {
		ctx, stop := context.WithCancel(t.Context())
		code := make(chan int, 1)
		go func() { code <- run(ctx, args, io.Discard, io.Discard) }()
		return func() {
			stop()
			if got := <-code; got != 0 {
				t.Errorf("%q ends with exit status %d", args, got)
			}
		}
	}
	until := func(what string, done func() bool) {
		for start := time.Now(); !done(); time.Sleep(10 * time.Millisecond) {
			if time.Since(start) > time.Minute {
				t.Fatalf("%s does not begin", what)
			}
		}
	}
	jobs := "127.0.0.1:" + testkit.FreePort(t)
	end := serve("grid", "serve", "--listen", jobs, "--store", filepath.Join(t.TempDir(), "jobs"))
	until("the server", func() bool {
		return run(t.Context(), []string{"grid", "status", "--nats", "nats://" + jobs}, io.Discard, io.Discard) == 0
	})
	end()
}
