package server

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// However much clients do, and from however many addresses, the log gets a few lines a period.
func TestJournalIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		j := newJournal(slog.New(slog.NewTextHandler(&log, nil)))
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan bool)
		go func() {
			j.run(ctx)
			close(ended)
		}()
		const clients = 10 * maxNoted
		for range 3 {
			for i := range clients {
				j.note(note{kind: turnedAway, code: "limit", address: fmt.Sprint(i)})
			}
		}
		j.note(note{kind: signedIn, account: "ada", address: "203.0.113.7"})
		synctest.Wait()
		if n := strings.Count(log.String(), "\n"); n != maxNoted+1 {
			t.Errorf("%d lines at once", n)
		}
		log.Reset()
		time.Sleep(journalPeriod)
		synctest.Wait()
		if n := strings.Count(log.String(), " more=2\n"); n != maxNoted {
			t.Errorf("%d lines of what was repeated: %s", n, &log)
		}
		line := fmt.Sprintf(`msg="too much to log" kind="turned away" more=%d`, 3*(clients-maxNoted))
		if !strings.Contains(log.String(), line) {
			t.Errorf("no %s in %s", line, &log)
		}
		log.Reset()
		j.note(note{kind: turnedAway, code: "limit", address: "0"})
		synctest.Wait()
		if n := strings.Count(log.String(), "\n"); n != 1 {
			t.Errorf("in the next period there are %d lines: %s", n, &log)
		}
		end()
		<-ended
	})
}
