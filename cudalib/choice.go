package cudalib

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gamebots/cudalib/driver"
)

// Device is an open GPU. What holds one needs to know no more of it than that
// launchers of this package take it.
type Device = driver.Device

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

// CPU says whether the CPU was asked for.
func (c Choice) CPU() bool { return c.where == onCPU }

// GPU says whether a GPU was asked for.
func (c Choice) GPU() bool { return c.where == onGPU }

// Open opens the GPU that was chosen. Without an error and without a device the
// work is for the CPU: it was asked for, or anything will do and there is no
// usable GPU. The text says which device it is, and why, for who asked to be
// told.
func (c Choice) Open() (d *Device, why string, err error) {
	if c.CPU() {
		return nil, "the CPU, as asked for", nil
	}
	library, err := driver.Open()
	if err == nil {
		d, err = library.Device(c.ordinal)
	}
	switch {
	case err == nil:
		return d, d.String(), nil
	case !c.GPU() && errors.Is(err, driver.ErrUnavailable):
		return nil, "the CPU: " + err.Error(), nil
	}
	return nil, "", err
}
