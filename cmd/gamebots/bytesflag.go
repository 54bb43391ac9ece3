package main

import (
	"fmt"
	"strconv"
	"strings"

	"gamebots/internal/memory"
)

// bytesFlag is a flag for an amount of memory such as 8GiB.
type bytesFlag int64

func (b *bytesFlag) Type() string { return "SIZE" }

func (b *bytesFlag) String() string {
	if *b == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*b), 10)
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
		return fmt.Errorf("not an amount of memory such as 512MiB or 8GiB")
	}
	*b = bytesFlag(max(1, memory.Saturate(n*scale)))
	return nil
}

// or returns the amount, or the available memory if none is given.
func (b bytesFlag) or(available func() int64) int64 {
	if b == 0 {
		return available()
	}
	return int64(b)
}
