package selfplay

import (
	"context"
	"errors"
	"time"

	"gamebots/internal/atomicfile"
	"gamebots/internal/shutdown"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/hexnet"
)

// Session is a training with a clock and files. One goroutine uses it at a time.
type Session struct {
	*Training
	job *Job

	before time.Duration // time of earlier runs
	start  time.Time     // start of this run; zero before it

	losses hexnet.Losses // sums since the last point
	steps  uint64        // number of steps since the last point
}

// A stopwatch sums the time that pieces of work take.
type stopwatch time.Duration

// start begins a piece of work, and returns what ends it.
func (w *stopwatch) start() (end func()) {
	start := time.Now()
	return func() { *w += stopwatch(time.Since(start)) }
}

// CheckpointFile returns the file of the session's checkpoint.
func (s *Session) CheckpointFile() string { return s.job.File + checkpoint.Suffix }

// Spent returns the time that the training has taken in all runs together.
func (s *Session) Spent() time.Duration {
	if s.start.IsZero() {
		return s.before
	}
	return s.before + time.Since(s.start)
}

// LearningShare returns the share of this run's time that learning has taken, without games.
func (s *Session) LearningShare() float64 {
	return s.LearningTime().Seconds() / (s.Spent() - s.before).Seconds()
}

// Done returns the part of the training that is done, by the goal that is nearest.
func (s *Session) Done() (part float64) {
	if s.job.Steps > 0 {
		part = float64(s.Steps()) / float64(s.job.Steps)
	}
	if s.job.Limit > 0 {
		part = max(part, s.Spent().Seconds()/s.job.Limit.Seconds())
	}
	return min(part, 1)
}

// resume reads the session's checkpoint, if there is one, and reports whether training
// goes on from it. A checkpoint of another training is refused.
func (s *Session) resume() (resumed bool, err error) {
	want := s.Meta()
	want.Iterations = s.job.Steps
	m, resumed, err := checkpoint.Resume(s.job.File, want, s.Training)
	if !resumed {
		return false, err
	}
	s.before = time.Duration(m.Seconds * float64(time.Second))
	return true, nil
}

// run trains until the goal or the limit is reached, or ctx is done, which is no error and
// loses a match at work. It saves the training and its network at the end, and whenever a
// checkpoint is due.
func (s *Session) run(ctx context.Context) error {
	defer shutdown.Inhibit("finishing a step")()
	// A run that was killed may have left what it was writing.
	atomicfile.RemoveAbandoned(s.CheckpointFile())
	atomicfile.RemoveAbandoned(s.job.File)
	s.start = time.Now()
	due := checkpoint.After(s.before)
	for (s.job.Steps == 0 || s.Steps() < s.job.Steps) && (s.job.Limit == 0 || s.Spent() < s.job.Limit) &&
		ctx.Err() == nil {
		if s.job.Cooldown > 0 {
			s.SlowDown(min(1, (1-s.Done())/s.job.Cooldown))
		}
		losses, err := s.Step()
		switch {
		case err == nil:
		case !errors.As(err, new(*unplayedError)):
			return err
		case ctx.Err() != nil:
			return s.save()
		default:
			return errors.Join(err, s.save())
		}
		s.note(losses)
		s.job.OnStep(losses)
		if every := s.job.MatchEvery; every > 0 && s.Steps()%every == 0 {
			if err := s.addPoint(ctx); err != nil && ctx.Err() == nil {
				return errors.Join(err, s.save())
			}
		}
		if spent := s.Spent(); spent >= due {
			s.job.OnCheckpoint(s.save())
			due = checkpoint.After(spent)
		}
	}
	return s.save()
}

// note adds losses to those of the next point.
func (s *Session) note(l hexnet.Losses) {
	s.steps++
	s.losses.Policy += l.Policy
	s.losses.Value += l.Value
	s.losses.Reply += l.Reply
	s.losses.Structure += l.Structure
	s.losses.Kinds += l.Kinds
}

// point returns how far the training is, for its curve, and begins the next point.
func (s *Session) point() Point {
	p := Point{Steps: s.Steps(), Games: s.Games(), Seconds: s.Spent().Seconds(), Operations: s.Operations()}
	if n := float64(s.steps); n > 0 {
		l := s.losses
		p.Losses = hexnet.Losses{Policy: l.Policy / n, Value: l.Value / n, Reply: l.Reply / n,
			Structure: l.Structure / n, Kinds: l.Kinds / n}
	}
	s.losses, s.steps = hexnet.Losses{}, 0
	return p
}

func (s *Session) save() error {
	m := s.Meta()
	m.Seconds = s.Spent().Seconds()
	n, err := s.Net()
	if err != nil {
		return err
	}
	return errors.Join(checkpoint.Write(s.CheckpointFile(), m, s.Training), n.Save(s.job.File))
}
