package main

import "gamebots/cudalib"

// A deviceFlag is a flag whose value is the choice of a device.
type deviceFlag struct{ *cudalib.Choice }

// Type names the value in help texts.
func (deviceFlag) Type() string { return "DEVICE" }

// Set sets the choice.
func (f deviceFlag) Set(text string) (err error) {
	*f.Choice, err = cudalib.ParseChoice(text)
	return err
}
