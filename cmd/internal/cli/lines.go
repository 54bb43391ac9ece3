package cli

import (
	"bufio"
	"context"
	"io"
)

// LineReader returns a function that reads the next line that a person types. It returns
// false at the end, and when ctx is done.
func LineReader(ctx context.Context, in io.Reader) func() (string, bool) {
	typed := make(chan string)
	go func() {
		defer close(typed)
		for lines := bufio.NewScanner(in); lines.Scan(); {
			select {
			case typed <- lines.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() (string, bool) {
		select {
		case line, ok := <-typed:
			return line, ok
		case <-ctx.Done():
			return "", false
		}
	}
}
