package proc

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Watch reads the dealer's messages during a match. It measures the time that the
// player at a seat takes, and collects the dealer's warnings.
type Watch struct {
	Number    int // from 0
	Decisions []time.Duration
	Hand      time.Duration // the player's longest time in one hand
	Warnings  []string

	asked   int64         // time of the last message to the player, in microseconds
	current []byte        // number of the current hand
	inHand  time.Duration // the player's time in the current hand
}

// Write accepts whole lines only.
func (w *Watch) Write(text []byte) (int, error) {
	for line := range bytes.Lines(text) {
		w.line(bytes.TrimRight(line, "\r\n"))
	}
	return len(text), nil
}

func (w *Watch) line(line []byte) {
	if bytes.HasPrefix(line, []byte("WARNING")) || bytes.HasPrefix(line, []byte("ERROR")) {
		w.Warnings = append(w.Warnings, string(line))
		return
	}
	// TO 1 at 1795196841.547649 MATCHSTATE:0:3:…
	fields := bytes.SplitN(line, []byte(" "), 5)
	if len(fields) < 5 || string(fields[2]) != "at" || string(fields[1]) != strconv.Itoa(w.Number+1) {
		return
	}
	at, ok := micros(fields[3])
	if !ok {
		return
	}
	switch string(fields[0]) {
	case "TO":
		w.asked = at
		if parts := bytes.SplitN(fields[4], []byte(":"), 4); len(parts) == 4 && !bytes.Equal(parts[2], w.current) {
			w.current, w.inHand = bytes.Clone(parts[2]), 0
		}
	case "FROM":
		took := time.Duration(max(0, at-w.asked)) * time.Microsecond
		w.Decisions = append(w.Decisions, took)
		w.inHand += took
		w.Hand = max(w.Hand, w.inHand)
	}
}

// micros parses a time in seconds with six decimals, and returns microseconds.
func micros(text []byte) (int64, bool) {
	whole, fraction, ok := bytes.Cut(text, []byte("."))
	seconds, err := strconv.ParseInt(string(whole), 10, 64)
	rest, fractionErr := strconv.ParseInt(string(fraction), 10, 64)
	return seconds*1e6 + rest, ok && len(fraction) == 6 && err == nil && fractionErr == nil
}

// Spread sorts times, and returns their mean, that within which a percentage of them are, and the longest.
func Spread(times []time.Duration, percent int) (mean, most, longest time.Duration) {
	n := len(times)
	if n == 0 {
		return 0, 0, 0
	}
	slices.Sort(times)
	for _, d := range times {
		mean += d
	}
	return mean / time.Duration(n), times[(n-1)*percent/100], times[n-1]
}

// TimeText writes a time for people, in a unit of its size.
func TimeText(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.0f µs", d.Seconds()*1e6)
	case d < time.Second:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
