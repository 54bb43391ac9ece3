package cli

import (
	"bufio"
	"context"
	"encoding/json"
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

// PrintLines prints objects as JSON, one a line.
func PrintLines[T any](w io.Writer, list []T) error {
	for _, x := range list {
		if err := json.NewEncoder(w).Encode(x); err != nil {
			return err
		}
	}
	return nil
}

// Print prints a result for people, or as JSON.
func Print(w io.Writer, asJSON bool, result interface {
	WriteText(io.Writer) error
	WriteJSON(io.Writer) error
}) error {
	if asJSON {
		return result.WriteJSON(w)
	}
	return result.WriteText(w)
}
