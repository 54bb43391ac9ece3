package checkpoint

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Schedule is when checkpoints are written, in training time of all runs together:
// first after Start, then each time after Mult times the previous time plus Add. With
// a Mult over 1 both the cost of checkpoints and the work that a crash can lose stay in
// proportion to the length of the training.
type Schedule struct {
	Start time.Duration
	Mult  float64
	Add   time.Duration
}

// DefaultSchedule loses at most a sixth of a training, or its first half minute,
// and writes 27 checkpoints in the first hour.
var DefaultSchedule = Schedule{Start: 30 * time.Second, Mult: 1.2}

// ParseSchedule parses start,mult,add as in "30s,1.2,0s". A start alone stands for
// start,1,start.
func ParseSchedule(text string) (Schedule, error) {
	fail := func() (Schedule, error) {
		return Schedule{}, fmt.Errorf("%q is not start,mult,add such as 30s,1.2,0s: a time over 0, a factor of at "+
			"least 1, and a time; factor and time must let it grow", text)
	}
	fields := strings.Split(strings.ReplaceAll(text, " ", ""), ",")
	start, err := time.ParseDuration(fields[0])
	if err != nil || start <= 0 {
		return fail()
	}
	s := Schedule{Start: start, Mult: 1, Add: start}
	switch len(fields) {
	case 1:
		return s, nil
	case 3:
	default:
		return fail()
	}
	if s.Mult, err = strconv.ParseFloat(fields[1], 64); err != nil || !(s.Mult >= 1 && s.Mult <= 1e6) {
		return fail()
	}
	if s.Add, err = time.ParseDuration(fields[2]); err != nil || s.Add < 0 || s.Mult == 1 && s.Add == 0 {
		return fail()
	}
	return s, nil
}

// String formats the schedule for ParseSchedule.
func (s Schedule) String() string { return fmt.Sprintf("%v,%g,%v", s.Start, s.Mult, s.Add) }

// After returns the time of the first checkpoint that is due after a training time.
func (s Schedule) After(spent time.Duration) time.Duration {
	due := s.Start
	for due <= spent {
		// At least a millisecond later, even if a factor close to 1 rounds to nothing.
		due = max(time.Duration(s.Mult*float64(due))+s.Add, due+time.Millisecond)
	}
	return due
}
