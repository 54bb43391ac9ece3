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
// GPU, "cuda:N" for another, or "cuda:all" for all of them. The zero value is "auto".
type Choice struct {
	kind    kind
	ordinal int
	reason  string // why it is the CPU, as a text continues
}

type kind int

const (
	auto kind = iota
	cpu
	cuda
	all
)

// ParseChoice reads a choice.
func ParseChoice(s string) (Choice, error) {
	for _, c := range []Choice{{}, CPU(), GPU(0), AllGPUs()} {
		if c.String() == s {
			return c, nil
		}
	}
	if digits, ok := strings.CutPrefix(s, "cuda:"); ok {
		if n, err := strconv.ParseUint(digits, 10, 16); err == nil {
			return GPU(int(n)), nil
		}
	}
	return Choice{}, fmt.Errorf("%q is not one of auto, cpu, cuda, cuda:N, cuda:all", s)
}

// CPU returns the choice of the CPU.
func CPU() Choice { return Choice{kind: cpu, reason: ", as asked for"} }

// GPU returns the choice of a GPU by its number.
func GPU(ordinal int) Choice { return Choice{kind: cuda, ordinal: ordinal} }

// AllGPUs returns the choice of all GPUs.
func AllGPUs() Choice { return Choice{kind: all} }

// String returns the choice as ParseChoice reads it.
func (c Choice) String() string {
	if c.ordinal > 0 {
		return fmt.Sprintf("cuda:%d", c.ordinal)
	}
	return []string{auto: "auto", cpu: "cpu", cuda: "cuda", all: "cuda:all"}[c.kind]
}

// CPU reports whether the CPU was asked for.
func (c Choice) CPU() bool { return c.kind == cpu }

// GPU reports whether a GPU was asked for, or all of them.
func (c Choice) GPU() bool { return c.kind == cuda || c.kind == all }

// If returns the choice for work of which is known whether a GPU is likely to do it sooner, and why, as
// DeviceWorthwhile of its solver says: instead of "auto" the CPU, for that reason, if a GPU is not.
func (c Choice) If(worthwhile bool, reason string) Choice {
	if c.kind == auto && !worthwhile {
		return Choice{kind: cpu, reason: ": " + reason}
	}
	return c
}

// ErrOneDevice is the error for "cuda:all" where the work is done on one device.
var ErrOneDevice error = hinted{errors.New("this is done on one device, not on all"), "cuda:N chooses the device"}

type hinted struct {
	error
	hint string
}

// Hint returns advice for the user.
func (h hinted) Hint() string { return h.hint }

// Open opens the chosen GPU. It returns no device and no error where the work is for
// the CPU: it was asked for, or the choice is "auto" and there is no usable GPU. The
// text names the device, or gives the reason for the CPU. The error for all GPUs is
// [ErrOneDevice].
func (c Choice) Open() (d *Device, why string, err error) {
	if c.kind == all {
		return nil, "", ErrOneDevice
	}
	devices, why, err := c.OpenAll()
	if len(devices) > 0 {
		d = devices[0]
	}
	return d, why, err
}

// OpenAll is [Choice.Open] for work that several GPUs can share. It opens all of them if
// they were asked for.
func (c Choice) OpenAll() (devices []*Device, why string, err error) {
	return c.open(patience, func() ([]*Device, error) {
		library, err := driver.Open()
		if err != nil {
			return nil, err
		}
		ordinals := []int{c.ordinal}
		if c.kind == all {
			infos, err := library.Devices()
			if err != nil {
				return nil, err
			}
			ordinals = nil
			for _, info := range infos {
				ordinals = append(ordinals, info.Ordinal)
			}
		}
		var devices []*Device
		for _, n := range ordinals {
			d, err := library.Device(n)
			if err != nil {
				return nil, errors.Join(err, CloseAll(devices))
			}
			devices = append(devices, d)
		}
		return devices, nil
	})
}

// CloseAll closes devices.
func CloseAll(devices []*Device) error {
	var errs []error
	for _, d := range devices {
		errs = append(errs, d.Close())
	}
	return errors.Join(errs...)
}

// Check returns an error if a GPU was asked for and cannot be opened.
func (c Choice) Check() error {
	if !c.GPU() {
		return nil
	}
	devices, _, err := c.OpenAll()
	return errors.Join(err, CloseAll(devices))
}

// patience is how long a driver may take to start. On a machine with many GPUs that
// sleep it takes seconds.
const patience = time.Minute

// ErrNoAnswer is returned where the driver hangs, as it does when a GPU has died. The
// thread that called the driver may never return; nothing else waits for it.
var ErrNoAnswer error = hinted{errors.New("the driver did not answer in time"),
	"see whether nvidia-smi answers; if it does not, restart the machine"}

func (c Choice) open(patience time.Duration, open func() ([]*Device, error)) ([]*Device, string, error) {
	if c.CPU() {
		return nil, "the CPU" + c.reason, nil
	}
	type answer struct {
		devices []*Device
		err     error
	}
	answers := make(chan answer, 1)
	go func() {
		devices, err := open()
		answers <- answer{devices, err}
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
		var names []string
		for _, d := range a.devices {
			names = append(names, d.String())
		}
		return a.devices, strings.Join(names, ", "), nil
	case !c.GPU() && (errors.Is(a.err, driver.ErrUnavailable) || errors.Is(a.err, ErrNoAnswer)):
		return nil, "the CPU: " + a.err.Error(), nil
	}
	return nil, "", a.err
}

// Device is an open GPU, for the packages of kernels to run on.
type Device = driver.Device

// MemoryError is returned for work that needs more memory than is free on a device.
type MemoryError = driver.MemoryError

// ErrOutOfMemory is the error of an allocation for which a device has too little memory left.
var ErrOutOfMemory = driver.ErrOutOfMemory
