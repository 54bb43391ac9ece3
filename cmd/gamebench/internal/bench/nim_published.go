package bench

import (
	"gamebots/cmd/gamebench/internal/published"
	"gamebots/solvers/nimsolver"
)

// The publication of Fiorella, and its devices.
const (
	fiorellaSource = "Fiorella"
	fiorellaCPU    = "CPU (Fiorella)"
	fiorellaGPU    = "Jetson Nano (Fiorella)"
)

// emitFiorella emits the published times, as curves over the number of rows, the
// speedups over version 0 and the savings of memory accesses.
func emitFiorella(emit func(Row)) {
	emit = from(fiorellaSource, emit)
	serial := map[int]float64{} // milliseconds of version 0 by rows, at the default depth
	for _, p := range published.Fiorella() {
		device, threads := fiorellaGPU, 0
		if p.Version == 0 {
			device, threads = fiorellaCPU, 1
		}
		if p.Milliseconds > 0 {
			r := nimRow(p.Version, p.Depth, p.Rows)
			r.Device, r.Threads, r.Metric, r.Value, r.Unit = device, threads, "time", p.Milliseconds, "ms"
			emit(r)
		}
		switch {
		case p.Depth != nimsolver.DefaultDepth:
		case p.Version == 0:
			serial[p.Rows] = p.Milliseconds
		case serial[p.Rows] > 0:
			emitNimFactor(emit, p.Version, p.Rows, device, serial[p.Rows]/p.Milliseconds)
		}
	}
	for _, s := range published.FiorellaSavings() {
		emitNimSaving(emit, s.Memory, fiorellaGPU, s.Percent)
	}
}

// emitNimFactor emits the speedup of a version over version 0 on one core.
func emitNimFactor(emit func(Row), version, rows int, device string, factor float64) {
	r := nimRow(version, nimsolver.DefaultDepth, rows)
	r.Case = "faster than v0, depth 7, rows"
	r.Device, r.Metric, r.Value, r.Unit = device, "factor", factor, "times"
	emit(r)
}

// emitNimSaving emits the percentage of memory accesses of version 1 that version 2
// saves.
func emitNimSaving(emit func(Row), memory, device string, percent float64) {
	emit(Row{Case: memory + " memory, 5 rows, less than v1", Variant: nimVariant(2), Device: device, Metric: "fewer",
		Value: percent, Unit: "%"})
}
