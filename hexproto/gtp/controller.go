package gtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// Controller asks an engine. One command is under way at a time; Close may come
// at any time.
type Controller struct {
	mu    sync.Mutex
	in    io.Writer
	lines chan string // of answers; closed with the engine's output
	end   chan struct{}
	once  sync.Once
	err   error // why lines was closed
	ids   int
}

// Refusal is an answer that begins with a question mark.
type Refusal struct{ Command, Text string }

func (r *Refusal) Error() string { return fmt.Sprintf("gtp: %s: %s", r.Command, r.Text) }

// ErrGone is that of an engine whose output has ended.
var ErrGone = errors.New("gtp: the engine is gone")

// maxLine is the longest line of an answer, and maxAnswer its number of lines:
// boards are drawn in it.
const (
	maxLine   = 64 << 10
	maxAnswer = 1000
)

// NewController returns a controller of an engine that reads from in and writes
// to out. It reads until out ends.
func NewController(in io.Writer, out io.Reader) *Controller {
	c := &Controller{in: in, lines: make(chan string, 16), end: make(chan struct{})}
	go c.read(out)
	return c
}

// Close ends the controller; the streams are the caller's.
func (c *Controller) Close() { c.once.Do(func() { close(c.end) }) }

func (c *Controller) read(out io.Reader) {
	defer close(c.lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		select {
		case c.lines <- clean(s.Text()):
		case <-c.end:
			return
		}
	}
	c.err = s.Err()
}

// clean takes out what the protocol has ignored: control characters, and tabs for
// blanks.
func clean(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, line)
}

// Ask sends a command and returns the text of its answer. A question mark is a
// *Refusal. After any other error, the context's too, the engine and the
// controller no longer agree on what is answered, and neither is to be used.
func (c *Controller) Ask(ctx context.Context, command ...string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids++
	line := strings.Join(command, " ")
	if strings.ContainsAny(line, "\r\n#") {
		return "", fmt.Errorf("gtp: %q is no command", line)
	}
	if err := c.write(ctx, fmt.Sprintf("%d %s\n", c.ids, line)); err != nil {
		return "", fmt.Errorf("%w: %w", ErrGone, err)
	}
	var answer []string
	for {
		select {
		case text, ok := <-c.lines:
			switch {
			case !ok:
				return "", errors.Join(ErrGone, c.err)
			case len(answer) == 0 && !strings.HasPrefix(text, "=") && !strings.HasPrefix(text, "?"):
				if strings.TrimSpace(text) != "" {
					return "", fmt.Errorf("gtp: %s: %q is no answer", line, shorten(text))
				}
			case strings.TrimSpace(text) == "":
				return c.parse(line, answer)
			case len(answer) == maxAnswer:
				return "", fmt.Errorf("gtp: %s: the answer does not end", line)
			default:
				answer = append(answer, text)
			}
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-c.end:
			return "", ErrGone
		}
	}
}

// write writes a line, unless the engine does not read it.
func (c *Controller) write(ctx context.Context, line string) error {
	done := make(chan error, 1)
	go func() {
		_, err := io.WriteString(c.in, line)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.end:
		return ErrGone
	}
}

// parse takes the mark and the id off an answer.
func (c *Controller) parse(command string, answer []string) (string, error) {
	mark, text := answer[0][0], answer[0][1:]
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if digits > 0 {
		if id, err := strconv.Atoi(text[:digits]); err != nil || id != c.ids {
			return "", fmt.Errorf("gtp: %s: the answer is for %s", command, text[:digits])
		}
	}
	answer[0] = text[digits:]
	text = strings.TrimSpace(strings.Join(answer, "\n"))
	if mark == '?' {
		return "", &Refusal{command, text}
	}
	return text, nil
}

func shorten(text string) string {
	if len(text) > 80 {
		return text[:80] + "…"
	}
	return text
}
