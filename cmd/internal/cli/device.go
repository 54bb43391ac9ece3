package cli

import (
	"gamebots/cudalib"

	"github.com/spf13/pflag"
)

// AddDevice adds the flag --device, whose value is the choice of a device.
func AddDevice(flags *pflag.FlagSet, to *cudalib.Choice, usage string) {
	flags.Var(deviceFlag{to}, "device", usage)
}

type deviceFlag struct{ *cudalib.Choice }

// Type names the value in help texts.
func (deviceFlag) Type() string { return "DEVICE" }

// Set sets the choice.
func (f deviceFlag) Set(text string) (err error) {
	*f.Choice, err = cudalib.ParseChoice(text)
	return err
}
