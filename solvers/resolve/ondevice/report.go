package ondevice

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"gamebots/cudalib"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
	"gamebots/solvers/resolve/spot/ondevice"
)

// A Report says what a GPU would solve of a flop at the table. Cores are those of the CPU beside it.
type Report struct {
	Device  string             `json:"device"`
	Cores   int                `json:"cores"`
	Speed   resolve.Figures    `json:"entries_per_second"`
	Seconds float64            `json:"seconds"` // time of the decision
	Flops   []resolve.FlopPlan `json:"flops"`
}

// decision is the time of the first decision of a hand at 7 seconds a hand.
const decision = 3500 * time.Millisecond

// amounts are the memories of common cards.
var amounts = []int64{8e9, 12e9, 24e9, 80e9, 140e9}

// Measure measures a device, which takes seconds.
func Measure(ctx context.Context, d *cudalib.Device) (*Report, error) {
	device, err := Of(d)
	if err != nil {
		return nil, err
	}
	threads := runtime.NumCPU()
	if err := device.Measure(ctx, threads); err != nil {
		return nil, err
	}
	plans, err := device.Plans(ctx, decision, threads, amounts...)
	return &Report{Device: d.String(), Cores: threads, Speed: device.Figures(), Seconds: decision.Seconds(),
		Flops: plans}, err
}

// WriteText writes a report for people.
func (r *Report) WriteText(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, with %d cores of a CPU\n", r.Device, r.Cores)
	speed := func(what string, x float64) {
		if x > 0 {
			fmt.Fprintf(&text, "  %-16s %.2g entries x iterations a second\n", what, x)
		}
	}
	speed("turns", r.Speed.Turns)
	speed("turns, the CPU", r.Speed.TurnsOnCPU)
	speed("flops, 32 bits", r.Speed.Flops)
	speed("flops, 16 bits", r.Speed.PackedFlops)
	fmt.Fprintf(&text, "  a flop (pot 600, 19,700 behind, all hands) in a decision of %.2g s, at 7 s a hand:\n",
		r.Seconds)
	for _, p := range r.Flops {
		fmt.Fprintf(&text, "  %5.3g GB  ", float64(p.Memory)/1e9)
		if p.Entries == 0 {
			fmt.Fprintf(&text, "no whole flop: %.2g entries at most\n", p.Limit)
			continue
		}
		fmt.Fprintf(&text, "%.2g entries of %d bits: bets %s; raises %s\n", float64(p.Entries), p.Bits, p.Bets,
			p.Raises)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// Of returns how package resolve uses a device, with nine tenths of the memory that is free: without one, by
// nil, not at all.
func Of(d *cudalib.Device) (*resolve.Device, error) {
	if d == nil {
		return nil, nil
	}
	free, _, err := d.Memory()
	return resolve.NewDevice(func(turn sync.Locker) spot.Device { return ondevice.InTurns(d, turn) }, free/10*9), err
}
