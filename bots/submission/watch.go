package submission

import (
	"bytes"
	"strconv"
	"time"
)

// watch reads the dealer's messages during a match. It measures the time that the
// player at a seat takes, and collects the dealer's warnings.
type watch struct {
	seat      int
	decisions []time.Duration
	hand      time.Duration // the player's longest time in one hand
	warnings  []string

	asked   int64         // time of the last message to the player, in microseconds
	current []byte        // number of the current hand
	inHand  time.Duration // the player's time in the current hand
}

// Write accepts whole lines only.
func (w *watch) Write(text []byte) (int, error) {
	for line := range bytes.Lines(text) {
		w.line(bytes.TrimRight(line, "\r\n"))
	}
	return len(text), nil
}

func (w *watch) line(line []byte) {
	if bytes.HasPrefix(line, []byte("WARNING")) || bytes.HasPrefix(line, []byte("ERROR")) {
		w.warnings = append(w.warnings, string(line))
		return
	}
	// TO 1 at 1795196841.547649 MATCHSTATE:0:3:…
	fields := bytes.SplitN(line, []byte(" "), 5)
	if len(fields) < 5 || string(fields[2]) != "at" || string(fields[1]) != strconv.Itoa(w.seat+1) {
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
		w.decisions = append(w.decisions, took)
		w.inHand += took
		w.hand = max(w.hand, w.inHand)
	}
}

// micros parses a time in seconds with six decimals, and returns microseconds.
func micros(text []byte) (int64, bool) {
	whole, fraction, ok := bytes.Cut(text, []byte("."))
	seconds, err := strconv.ParseInt(string(whole), 10, 64)
	rest, fractionErr := strconv.ParseInt(string(fraction), 10, 64)
	return seconds*1e6 + rest, ok && len(fraction) == 6 && err == nil && fractionErr == nil
}
