package browse

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Quits reports whether a person wants to leave who types this.
func Quits(typed string) bool {
	return slices.Contains([]string{"q", "quit", "exit"}, strings.ToLower(strings.TrimSpace(typed)))
}

// Walk leads a person from point to point: show shows one and returns what to ask, and follow returns the point after
// what is typed, or an error for the person. Typing u goes back, ? prints help, and q or the end of readLine ends it.
func Walk[P any](
	start P, readLine func() (string, bool), w io.Writer, help string, show func(*P) (question string, err error),
	follow func(p P, typed string) (P, error),
) (err error) {
	way, moved, question := []P{start}, true, ""
	for {
		p := &way[len(way)-1]
		if moved {
			if question, err = show(p); err != nil {
				return err
			}
		}
		fmt.Fprint(w, question)
		typed, ok := readLine()
		typed, moved = strings.TrimSpace(typed), false
		switch {
		case !ok:
			fmt.Fprintln(w)
			return nil
		case Quits(typed):
			return nil
		case typed == "u" && len(way) > 1:
			way, moved = way[:len(way)-1], true
		case typed == "?":
			fmt.Fprintln(w, help)
		default:
			next, err := follow(*p, typed)
			if err != nil {
				fmt.Fprintln(w, err)
				continue
			}
			way, moved = append(way, next), true
		}
	}
}
