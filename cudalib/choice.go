package cudalib

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gamebots/cudalib/driver"
)

// A Choice is the device that a user asks for: "auto", "cpu", "cuda" for the first
// GPU or "cuda:N" for another. The zero value is "auto".
type Choice struct {
	kind    kind
	ordinal int
}

type kind int

const (
	auto kind = iota
	cpu
	cuda
)

// ParseChoice reads a choice.
func ParseChoice(s string) (Choice, error) {
	switch s {
	case "auto":
		return Choice{}, nil
	case "cpu":
		return Choice{kind: cpu}, nil
	case "cuda":
		return GPU(0), nil
	}
	if digits, ok := strings.CutPrefix(s, "cuda:"); ok {
		if n, err := strconv.ParseUint(digits, 10, 16); err == nil {
			return GPU(int(n)), nil
		}
	}
	return Choice{}, fmt.Errorf("%q is not one of auto, cpu, cuda, cuda:N", s)
}

// GPU returns the choice of a GPU by its number.
func GPU(ordinal int) Choice { return Choice{cuda, ordinal} }

// String returns the choice as ParseChoice reads it.
func (c Choice) String() string {
	switch {
	case c.kind == auto:
		return "auto"
	case c.kind == cpu:
		return "cpu"
	case c.ordinal == 0:
		return "cuda"
	}
	return fmt.Sprintf("cuda:%d", c.ordinal)
}

// CPU reports whether the CPU was asked for.
func (c Choice) CPU() bool { return c.kind == cpu }

// GPU reports whether a GPU was asked for.
func (c Choice) GPU() bool { return c.kind == cuda }

// Open opens the chosen GPU. It returns no device and no error where the work is for
// the CPU: it was asked for, or the choice is "auto" and there is no usable GPU. The
// text names the device, or gives the reason for the CPU.
func (c Choice) Open() (d *Device, why string, err error) {
	return c.open(patience, func() (*Device, error) {
		library, err := driver.Open()
		if err != nil {
			return nil, err
		}
		return library.Device(c.ordinal)
	})
}

// Check returns an error if a GPU was asked for and cannot be opened.
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

// patience is how long a driver may take to start. On a machine with many GPUs that
// sleep it takes seconds.
const patience = time.Minute

// ErrNoAnswer is returned where the driver hangs, as it does when a GPU has died. The
// thread that called the driver may never return; nothing else waits for it.
var ErrNoAnswer error = noAnswer{errors.New("the driver did not answer in time")}

type noAnswer struct{ error }

// Hint returns advice for the user.
func (noAnswer) Hint() string {
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
	a := answer{err: ErrNoAnswer}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case a = <-answers:
	case <-timeout.C:
	}
	switch {
	case a.err == nil:
		return a.device, a.device.String(), nil
	case !c.GPU() && (errors.Is(a.err, driver.ErrUnavailable) || errors.Is(a.err, ErrNoAnswer)):
		return nil, "the CPU: " + a.err.Error(), nil
	}
	return nil, "", a.err
}
