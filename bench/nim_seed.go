package bench

import (
	"context"

	"gamebots/solvers/nimsolver"
)

// seedNimTimes are the figures of F. Fiorella, Parallel MinMax for Nim, Politecnico
// di Torino: milliseconds for the first move with rows of 1, 3, 5 and so on
// sticks, in C (version 0) and on a Jetson Nano's GPU (1 to 4). Of more rows than
// a version has figures for, it was too slow.
var seedNimTimes = []struct {
	version, depth int
	ms             []float64 // from 2 rows on
	last           int       // rows, where the figures are not from 2 on
}{
	{version: 0, depth: 7, ms: []float64{0, 0, 10, 160, 810, 4690}},
	{version: 1, depth: 7, ms: []float64{1.40, 26.54, 118.21, 565.56}},
	{version: 2, depth: 7, ms: []float64{2.76, 18.93, 31.65, 218.10, 2054.15}},
	{version: 3, depth: 7, ms: []float64{1.17, 9.96, 110.21, 2960}},
	{version: 4, depth: 7, ms: []float64{0.16, 6.50, 21.89, 107.41, 452.11, 1438.71, 3829.33}},
	{version: 0, depth: 5, ms: []float64{550}, last: nimLarge},
	{version: 4, depth: 5, ms: []float64{82.14}, last: nimLarge},
}

// seedNimFewer are what version 2 of the seed has less than version 1 in
// transactions with memory, in %, in a game from 5 rows; the text gives these two
// of figure 12.
var seedNimFewer = []struct {
	memory  string
	percent float64
}{{"global", 98.98}, {"shared", 63.65}}

const (
	seedNimCPU = "CPU (Fiorella)"
	seedNimGPU = "Jetson Nano (Fiorella)"
)

// seedNim emits the seed's figures: its table and figures 10 and 11 as curves of
// milliseconds, its acceleration factors, and what is said of figure 12.
func seedNim(_ context.Context, emit func(Row) error) error {
	serial := map[int]float64{} // milliseconds of version 0 by rows, depth 7
	for _, s := range seedNimTimes {
		device, threads := seedNimGPU, 0
		if s.version == 0 {
			device, threads = seedNimCPU, 1
		}
		for i, ms := range s.ms {
			rows := 2 + i
			if s.last > 0 {
				rows = s.last
			}
			at := nimAt(s.version, s.depth, rows)
			at.Device, at.Threads, at.Metric, at.Value, at.Unit = device, threads, "time", ms, "ms"
			if ms > 0 { // else its clock was too coarse
				if err := emit(at); err != nil {
					return err
				}
			}
			switch {
			case s.depth != nimsolver.DefaultDepth:
			case s.version == 0:
				serial[rows] = ms
			case serial[rows] > 0:
				if err := emitNimFactor(emit, s.version, rows, device, serial[rows]/ms); err != nil {
					return err
				}
			}
		}
	}
	for _, f := range seedNimFewer {
		if err := emitNimFewer(emit, f.memory, seedNimGPU, f.percent); err != nil {
			return err
		}
	}
	return nil
}

// emitNimFactor emits how much faster a version is than version 0 on one core.
func emitNimFactor(emit func(Row) error, version, rows int, device string, factor float64) error {
	at := nimAt(version, nimsolver.DefaultDepth, rows)
	at.Case = "faster than v0, depth 7, rows"
	at.Device, at.Metric, at.Value, at.Unit = device, "factor", factor, "times"
	return emit(at)
}

// emitNimFewer emits how much less version 2 has to do with a memory than version
// 1.
func emitNimFewer(emit func(Row) error, memory, device string, percent float64) error {
	return emit(Row{Case: memory + " memory, 5 rows, less than v1", Variant: nimVariant(2), Device: device, Metric: "fewer", Value: percent, Unit: "%"})
}
