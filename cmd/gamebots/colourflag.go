package main

import (
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

// colourFlag is a flag that says whether to write colours: auto, always or never. The zero
// colourFlag is auto.
type colourFlag struct{ choice string }

func (c *colourFlag) Type() string { return "WHEN" }

func (c *colourFlag) String() string {
	if c.choice == "" {
		return "auto"
	}
	return c.choice
}

func (c *colourFlag) Set(text string) error {
	if text != "auto" && text != "always" && text != "never" {
		return fmt.Errorf("%q is not one of auto, always, never", text)
	}
	c.choice = text
	return nil
}

// on reports whether to write colours to w. auto does so on a terminal, unless NO_COLOR is
// set (https://no-color.org).
func (c *colourFlag) on(w io.Writer) bool {
	if c.String() != "auto" {
		return c.choice == "always"
	}
	return understandsEscapes(w) && os.Getenv("NO_COLOR") == ""
}

// understandsEscapes reports whether w is a terminal that understands the escape sequences of
// colours and of lines that change.
func understandsEscapes(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}
