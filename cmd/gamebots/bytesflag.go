package main

import (
	"fmt"
	"strconv"
	"strings"
)

// bytesFlag is a flag for an amount of memory such as 8GiB.
type bytesFlag float64

func (b *bytesFlag) Type() string { return "SIZE" }

func (b *bytesFlag) String() string {
	if *b == 0 {
		return ""
	}
	return fmt.Sprintf("%g", float64(*b))
}

func (b *bytesFlag) Set(text string) error {
	number, scale := text, 1.0
	for _, unit := range []struct {
		suffix string
		bytes  float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}} {
		if before, ok := strings.CutSuffix(text, unit.suffix); ok {
			number, scale = before, unit.bytes
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(n > 0) {
		return fmt.Errorf("want an amount of memory such as 512MiB or 8GiB")
	}
	*b = bytesFlag(n * scale)
	return nil
}

// or returns the amount, or what is available where none is given.
func (b bytesFlag) or(available func() float64) float64 {
	if b == 0 {
		return available()
	}
	return float64(b)
}
