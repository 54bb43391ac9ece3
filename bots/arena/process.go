package arena

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strings"
	"time"

	"gamebots/acpc/dealer"
	"gamebots/bots/proc"
)

// Bot is a program that plays one seat. It is started with the dealer's host
// and port as its last two arguments.
type Bot struct {
	Name    string
	Command []string
	// Player, if not nil, takes the seat from this process instead, over the wire
	// like all others.
	Player dealer.Player
	// Door, if not nil, is where whoever plays the seat comes to.
	Door *Door
}

// process is a running bot.
type process struct {
	bot    Bot
	cmd    *exec.Cmd
	stderr tail
}

// grace is how long a bot may take to end by itself when its match is over,
// and then again when it was asked to. Tests have less patience.
var grace = 2 * time.Second

// start starts a bot that gets the host and port of an address.
func start(bot Bot, addr string) (*process, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	return launch(bot, host, port)
}

// launch starts a bot with some more arguments.
func launch(bot Bot, more ...string) (*process, error) {
	p := &process{bot: bot, cmd: exec.Command(bot.Command[0], slices.Concat(bot.Command[1:], more)...)}
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = grace // for children that keep stderr open
	proc.OwnGroup(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("bot %s: %w", bot.Name, err)
	}
	return p, nil
}

// wait returns when the bot has ended and none of its children is left. It is
// an error if the bot fails before the match is over, which is the end of ctx;
// after it the bot is given its time, then asked to end, then killed.
func (p *process) wait(ctx context.Context) error {
	defer proc.KillGroup(p.cmd)
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		return p.failure(err)
	case <-ctx.Done():
	}
	for _, urge := range []func(*exec.Cmd){proc.AskGroup, proc.KillGroup} {
		select {
		case <-ended:
			return nil
		case <-time.After(grace):
			urge(p.cmd)
		}
	}
	<-ended
	return nil
}

// failure returns an error for the end of a process that is none of its own.
func (p *process) failure(err error) error {
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	text := strings.TrimSpace(string(p.stderr))
	if text == "" {
		return fmt.Errorf("bot %s: %w", p.bot.Name, err)
	}
	lines := strings.Split(text, "\n")
	return fmt.Errorf("bot %s: %w: %s", p.bot.Name, err, strings.Join(lines[max(0, len(lines)-3):], "; "))
}

// tail keeps the end of what is written to it.
type tail []byte

// maxTail is how many bytes of it: a few lines, however long a bot talks.
const maxTail = 4 << 10

func (t *tail) Write(text []byte) (int, error) {
	*t = append(*t, text...)
	if extra := len(*t) - maxTail; extra > 0 {
		*t = append((*t)[:0], (*t)[extra:]...)
	}
	return len(text), nil
}
