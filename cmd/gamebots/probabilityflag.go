package main

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"
)

// A probabilityFlag is a flag whose value is a number from 0 to 1.
type probabilityFlag struct{ to *float64 }

var _ pflag.Value = probabilityFlag{}

func (probabilityFlag) Type() string     { return "float" }
func (p probabilityFlag) String() string { return strconv.FormatFloat(*p.to, 'g', -1, 64) }

func (p probabilityFlag) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= 1) {
		return errors.New("not a probability from 0 to 1")
	}
	*p.to = x
	return nil
}
