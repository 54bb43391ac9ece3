package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"gamebots/configs"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/internal/progress"
	"gamebots/internal/usererr"

	"github.com/spf13/pflag"
)

// Bytes is a flag for an amount of memory such as 8GiB.
type Bytes int64

var _ pflag.Value = (*Bytes)(nil)

// Type names the value in help texts.
func (b *Bytes) Type() string { return "SIZE" }

func (b *Bytes) String() string {
	if *b == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Set sets the amount.
func (b *Bytes) Set(text string) error {
	number, scale := text, 1.0
	for _, unit := range []struct {
		suffix string
		bytes  float64
	}{
		{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
		{"KB", 1e3}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	} {
		if before, ok := strings.CutSuffix(text, unit.suffix); ok {
			number, scale = before, unit.bytes
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(n > 0) {
		return fmt.Errorf("not an amount of memory such as 512MiB or 8GB")
	}
	*b = Bytes(max(1, memory.Saturate(n*scale)))
	return nil
}

// Or returns the amount, or the available memory if none is given.
func (b Bytes) Or(available func() int64) int64 {
	if b == 0 {
		return available()
	}
	return int64(b)
}

// PerProcessor returns a flag for the count of threads, or of what takes a thread each, by default as many as there are
// processors.
func PerProcessor(to *int) pflag.Value {
	*to = min(runtime.NumCPU(), configs.MaxThreads)
	return perProcessor{threads{to, 1}}
}

type perProcessor struct{ threads }

// Threads returns a flag for the count of threads, at least lowest, or of anything that takes a
// thread each. A thread costs memory even without work.
func Threads(to *int, lowest int) pflag.Value { return threads{to, lowest} }

type threads struct {
	to     *int
	lowest int
}

func (threads) Type() string     { return "int" }
func (t threads) String() string { return strconv.Itoa(*t.to) }

func (t threads) Set(text string) error {
	n, err := strconv.ParseInt(text, 0, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return err
	case n < int64(t.lowest) || n > configs.MaxThreads:
		// a number out of an int64's range comes as its maximum or minimum
		err := fmt.Errorf("not from %d to %d", t.lowest, configs.MaxThreads)
		if n > configs.MaxThreads {
			err = configs.HintThreads(err)
		}
		return err
	}
	*t.to = int(n)
	return nil
}

// Probability returns a flag whose value is a number from 0 to 1.
func Probability(to *float64) pflag.Value { return probability{to} }

type probability struct{ to *float64 }

func (probability) Type() string     { return "float" }
func (p probability) String() string { return strconv.FormatFloat(*p.to, 'g', -1, 64) }

func (p probability) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= 1) {
		return errors.New("not a probability from 0 to 1")
	}
	*p.to = x
	return nil
}

// RefuseZero refuses an explicit 0 of numbers and times whose default is not to be set: a script
// that computes them would get the default.
func RefuseZero(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if flag := flags.Lookup(name); flag.Changed && strings.Trim(flag.Value.String(), "0s") == "" {
			return usererr.Usagef("--%s: 0 is not allowed; give a larger number, or leave the flag out for the default",
				name)
		}
	}
	return nil
}

// deviceFlag is the value of a flag for a device.
type deviceFlag struct{ *cudalib.Choice }

// Type names the value in help texts.
func (deviceFlag) Type() string { return "DEVICE" }

// Set sets the choice.
func (f deviceFlag) Set(text string) (err error) {
	*f.Choice, err = cudalib.ParseChoice(text)
	return err
}

// Colour is a flag that says whether to write colours: auto, always or never. The zero
// Colour is auto.
type Colour struct{ choice string }

// Type names the value in help texts.
func (c *Colour) Type() string { return "WHEN" }

// String returns the choice.
func (c *Colour) String() string {
	return cmp.Or(c.choice, "auto")
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
	return progress.IsTerminal(w) && os.Getenv("TERM") != "dumb"
}
