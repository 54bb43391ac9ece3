package cudalib

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gamebots/cudalib/driver"
)

// A Choice is where work is to be done, as users write it: "auto", "cpu",
// "cuda" for the first GPU or "cuda:N" for another. The zero value is "auto".
// A *Choice is a flag's value.
type Choice struct {
	where   place
	ordinal int
}

type place int

const (
	anywhere place = iota
	onCPU
	onGPU
)

// ParseChoice reads a choice.
func ParseChoice(s string) (Choice, error) {
	switch s {
	case "auto":
		return Choice{}, nil
	case "cpu":
		return Choice{where: onCPU}, nil
	case "cuda":
		return Choice{where: onGPU}, nil
	}
	if digits, ok := strings.CutPrefix(s, "cuda:"); ok {
		if n, err := strconv.ParseUint(digits, 10, 16); err == nil {
			return Choice{onGPU, int(n)}, nil
		}
	}
	return Choice{}, fmt.Errorf("%q is none of auto, cpu, cuda and cuda:N", s)
}

func (c Choice) String() string {
	switch {
	case c.where == anywhere:
		return "auto"
	case c.where == onCPU:
		return "cpu"
	case c.ordinal == 0:
		return "cuda"
	}
	return fmt.Sprintf("cuda:%d", c.ordinal)
}

// Set makes c what is written.
func (c *Choice) Set(s string) (err error) {
	*c, err = ParseChoice(s)
	return err
}

// Type names what is written for the help of commands.
func (c *Choice) Type() string { return "device" }

// GPU is the choice of a GPU by its number.
func GPU(ordinal int) Choice { return Choice{onGPU, ordinal} }

// CPU reports whether the CPU was asked for.
func (c Choice) CPU() bool { return c.where == onCPU }

// GPU reports whether a GPU was asked for.
func (c Choice) GPU() bool { return c.where == onGPU }

// Open opens the GPU that was chosen. Without an error and without a device the
// work is for the CPU: it was asked for, or anything will do and there is no
// usable GPU. The text says which device it is, and why, for who asked to be
// told.
func (c Choice) Open() (d *Device, why string, err error) {
	return c.open(patience, func() (*Device, error) {
		library, err := driver.Open()
		if err != nil {
			return nil, err
		}
		return library.Device(c.ordinal)
	})
}

// Check says why a GPU that was asked for cannot be had.
func (c Choice) Check() error {
	if !c.GPU() {
		return nil
	}
	d, _, err := c.Open()
	if err != nil {
		return err
	}
	return d.Close()
}

// patience is how long a driver may take to start, which takes seconds on a machine
// with many GPUs that sleep.
const patience = time.Minute

// ErrSilent is a driver that hangs, as one does whose GPU has died. It may be asked
// by a thread that never comes back; nothing else waits for that.
var ErrSilent = silent{errors.New("the driver did not answer in time")}

type silent struct{ error }

// Hint says what may help.
func (silent) Hint() string {
	return "see whether nvidia-smi answers; if it does not, restart the machine"
}

func (c Choice) open(patience time.Duration, open func() (*Device, error)) (*Device, string, error) {
	if c.CPU() {
		return nil, "the CPU, as asked for", nil
	}
	type answer struct {
		device *Device
		err    error
	}
	answers := make(chan answer, 1)
	go func() {
		d, err := open()
		answers <- answer{d, err}
	}()
	a := answer{err: ErrSilent}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case a = <-answers:
	case <-late.C:
	}
	switch {
	case a.err == nil:
		return a.device, a.device.String(), nil
	case !c.GPU() && (errors.Is(a.err, driver.ErrUnavailable) || errors.Is(a.err, ErrSilent)):
		return nil, "the CPU: " + a.err.Error(), nil
	}
	return nil, "", a.err
}
