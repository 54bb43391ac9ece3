package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

// Colour is a flag that says whether to write colours: auto, always or never. The zero
// Colour is auto.
type Colour struct{ choice string }

// Type names the value in help texts.
func (c *Colour) Type() string { return "WHEN" }

// String returns the choice.
func (c *Colour) String() string {
	if c.choice == "" {
		return "auto"
	}
	return c.choice
}

// Set reads a choice.
func (c *Colour) Set(text string) error {
	if text != "auto" && text != "always" && text != "never" {
		return fmt.Errorf("%q is not one of auto, always, never", text)
	}
	c.choice = text
	return nil
}

// On reports whether to write colours to w. auto does so on a terminal, unless NO_COLOR is
// set (https://no-color.org).
func (c *Colour) On(w io.Writer) bool {
	if c.String() != "auto" {
		return c.choice == "always"
	}
	return UnderstandsEscapes(w) && os.Getenv("NO_COLOR") == ""
}

// UnderstandsEscapes reports whether w is a terminal that understands the escape sequences of
// colours and of lines that change.
func UnderstandsEscapes(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}
