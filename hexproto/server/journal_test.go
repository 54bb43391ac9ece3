package server

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// logged is a log whose text is taken while others write to it.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// take returns what was logged since it was last called.
func (l *logged) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// However much clients do, and from however many addresses, the log gets a few lines a period.
func TestJournalIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log logged
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
		if n := strings.Count(log.take(), "\n"); n != maxNoted+1 {
			t.Errorf("%d lines at once", n)
		}
		time.Sleep(journalPeriod)
		synctest.Wait()
		text := log.take()
		if n := strings.Count(text, " more=2\n"); n != maxNoted {
			t.Errorf("%d lines of what was repeated: %s", n, text)
		}
		line := fmt.Sprintf(`msg="too much to log" kind="turned away" more=%d`, 3*(clients-maxNoted))
		if !strings.Contains(text, line) {
			t.Errorf("no %s in %s", line, text)
		}
		for i := range clients { // one of IPv6 has as many addresses as it likes
			j.note(note{kind: signedIn, account: "mallory", address: fmt.Sprint(i)})
			j.note(note{kind: refused, code: "rate", account: "mallory", address: fmt.Sprint(i)})
		}
		j.note(note{kind: refused, code: "rate", account: "ada", address: "203.0.113.7"})
		for i := range clients {
			j.note(note{kind: signedIn, account: fmt.Sprint("player", i), address: "203.0.113.7"})
		}
		synctest.Wait()
		if n := strings.Count(log.take(), "\n"); n != 2*maxOfAccount+1+clients {
			t.Errorf("%d lines of %d accounts that sign in, and of one from as many addresses", n, clients)
		}
		time.Sleep(journalPeriod)
		synctest.Wait()
		line = fmt.Sprintf(`msg="too much to log" kind="signed in mallory" more=%d`, clients-maxOfAccount)
		if text := log.take(); strings.Count(text, "\n") != 2 || !strings.Contains(text, line) {
			t.Errorf("no %s in %s", line, text)
		}
		j.note(note{kind: turnedAway, code: "limit", address: "0"})
		synctest.Wait()
		if text := log.take(); strings.Count(text, "\n") != 1 {
			t.Errorf("in the next period there is %q", text)
		}
		end()
		<-ended
	})
}
