package gtp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gamebots/hexproto/wire"
)

// The interval of reports by default, and its limits.
const (
	defaultInterval = time.Second
	minInterval     = 50 * time.Millisecond
	maxInterval     = time.Hour
)

// analyse rates moves until the next command comes, and reports them in the format of
// Leela Zero. The command is "lz-analyze [COLOUR] [interval] [CENTISECONDS]".
func (s *session) analyse(ctx context.Context, a Analyst, id string, args []string) error {
	colour, every := "", defaultInterval
	for _, arg := range args {
		if n, err := strconv.ParseUint(arg, 10, 31); err == nil {
			every = min(max(time.Duration(n)*10*time.Millisecond, minInterval), maxInterval)
		} else if arg == "interval" {
			continue
		} else if colour, err = colourOf(arg); err != nil {
			return s.write(id, "", err)
		}
	}
	// The answer begins with the first report, so that a failure before it is an
	// error.
	ctx, stop := context.WithCancel(ctx)
	reports, failed := make(chan string), make(chan error, 1)
	go func() { failed <- report(ctx, a, colour, every, reports) }()
	begun, ended, last := false, false, false
	commands := s.lines
	for {
		var err error
		select {
		case line := <-reports:
			if !begun {
				_, err = fmt.Fprintf(s.out, "=%s\n", id)
			}
			begun, ended = true, last
			if err == nil {
				_, err = fmt.Fprintln(s.out, line)
			}
		case line, ok := <-commands:
			if ok {
				s.next = append(s.next, line)
			} else {
				commands, last = nil, true // no more commands: one report is enough
			}
			ended = ok || begun
		case err = <-failed:
			failed <- nil // for the receive below
			if !begun && err != nil && ctx.Err() == nil {
				stop()
				return s.write(id, "", err)
			}
			ended, err = true, nil
		}
		if err != nil || ended {
			stop()
			_ = error(<-failed) // it was stopped
			if err == nil && !begun {
				_, err = fmt.Fprintf(s.out, "=%s\n", id)
			}
			if err == nil {
				_, err = fmt.Fprintln(s.out)
			}
			return err
		}
	}
}

// report sends a report in each interval, until the context ends.
func report(ctx context.Context, a Analyst, colour string, every time.Duration, to chan<- string) error {
	for {
		next := time.After(every)
		_, rated, err := a.Consider(ctx, colour, every)
		switch {
		case err != nil:
			return err
		case len(rated) == 0:
			return errors.New("the bot does not rate moves")
		}
		select {
		case to <- info(rated):
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-next: // a bot with a limit of its own decides earlier
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// info returns a report on rated moves. GUIs skip moves without a variation, and some
// those without visits, which a proved move may not have needed.
func info(rated []wire.Rated) string {
	var line strings.Builder
	for order, r := range rated {
		if order > 0 {
			line.WriteByte(' ')
		}
		pv := r.Line
		if len(pv) == 0 {
			pv = []string{r.Move}
		}
		fmt.Fprintf(&line, "info move %s visits %d winrate %d order %d pv %s",
			r.Move, max(r.Work, 1), int(10000*r.Value+0.5), order, strings.Join(pv, " "))
	}
	return line.String()
}
