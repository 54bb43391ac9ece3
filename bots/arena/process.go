package arena

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"time"

	"gamebots/acpc"
	"gamebots/bots/proc"
	"gamebots/internal/parallel"
	"gamebots/internal/shutdown"
)

// Bot plays one seat of a match at a dealer. It is a program that Host starts,
// unless Player is set.
type Bot struct {
	Name string
	// Command is the program and its arguments; the dealer's host and port are
	// added.
	Command []string
	// Player, if not nil, takes the seat from within this process, over TCP like
	// all others.
	Player acpc.Player
}

// Process is a running bot program, with all that it has started.
type Process struct {
	name string
	*proc.Group
}

// grace is how long a program may run on after its match, and again after SIGTERM.
// Tests shorten it.
var grace = 2 * time.Second

// startAtSeat starts the program of a bot with the host and port of a dealer's seat.
func startAtSeat(bot Bot, addr string) (*Process, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(bot.Command[0], slices.Concat(bot.Command[1:], []string{host, port})...)
	cmd.WaitDelay = grace // for children that keep stderr open
	group, err := proc.StartGroup(cmd)
	if err != nil {
		return nil, fmt.Errorf("bot %s: %w", bot.Name, err)
	}
	return &Process{bot.Name, group}, nil
}

// Wait returns when the program and its children have ended. The end of ctx is the
// end of the match: from then on the program has two seconds to end, two more
// after SIGTERM, and is then killed; sooner if this program itself is to end. A
// program that fails before is an error, with the last lines that it wrote.
func (p *Process) Wait(ctx context.Context) error {
	defer p.Kill()
	if parallel.Wait(ctx, p.Ended()) == nil {
		return p.failure()
	}
	for _, urge := range []func(){p.Terminate, p.Kill} {
		if shutdown.Wait(p.Ended(), grace) {
			return nil
		}
		urge()
	}
	<-p.Ended()
	return nil
}

// failure returns the error of a program that has ended, nil if it succeeded.
func (p *Process) failure() error {
	err := p.Err()
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	if said := p.LastErrors(3); said != "" {
		err = fmt.Errorf("%w: %s", err, said)
	}
	return fmt.Errorf("bot %s: %w", p.name, err)
}
