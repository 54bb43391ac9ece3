package arena

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"slices"
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
	bot Bot
	*proc.Group
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
	cmd := exec.Command(bot.Command[0], slices.Concat(bot.Command[1:], more)...)
	cmd.WaitDelay = grace // for children that keep stderr open
	group, err := proc.StartGroup(cmd)
	if err != nil {
		return nil, fmt.Errorf("bot %s: %w", bot.Name, err)
	}
	return &process{bot, group}, nil
}

// wait returns when the bot has ended and none of its children is left. It is
// an error if the bot fails before the match is over, which is the end of ctx;
// after it the bot is given its time, then asked to end, then killed.
func (p *process) wait(ctx context.Context) error {
	defer p.Kill()
	select {
	case <-p.Ended():
		return p.failure()
	case <-ctx.Done():
	}
	for _, urge := range []func(){p.Ask, p.Kill} {
		select {
		case <-p.Ended():
			return nil
		case <-time.After(grace):
			urge()
		}
	}
	<-p.Ended()
	return nil
}

// failure returns an error for the end of a process that is none of its own.
func (p *process) failure() error {
	err := p.Err()
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	if said := p.Said(3); said != "" {
		err = fmt.Errorf("%w: %s", err, said)
	}
	return fmt.Errorf("bot %s: %w", p.bot.Name, err)
}
