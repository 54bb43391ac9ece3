package main

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"gamebots/internal/testkit"
)

// A server of jobs, and what shows it to browsers, have done what they should when they are interrupted.
func TestGridServers(t *testing.T) {
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
	jobs, page := "127.0.0.1:"+testkit.FreePort(t), "127.0.0.1:"+testkit.FreePort(t)
	end := serve("grid", "serve", "--listen", jobs, "--store", filepath.Join(t.TempDir(), "jobs"))
	until("the server", func() bool {
		return run(t.Context(), []string{"grid", "status", "--nats", "nats://" + jobs}, io.Discard, io.Discard) == 0
	})
	endPage := serve("grid", "status", "--nats", "nats://"+jobs, "--listen", page)
	until("the page", func() bool {
		got, err := http.Get("http://" + page + "/status.json")
		if err == nil {
			got.Body.Close()
		}
		return err == nil && got.StatusCode == http.StatusOK
	})
	endPage()
	end()
}
