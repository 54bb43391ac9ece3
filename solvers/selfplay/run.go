package selfplay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"gamebots/cudalib"
	"gamebots/internal/atomicfile"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/hexnet"
)

// Job is a training from its settings to its files, which [Run] does.
type Job struct {
	Settings               // Games is by default DeviceGames on a GPU
	File     string        // network to write, with a checkpoint beside it
	Steps    uint64        // number of steps after which the training ends, or 0
	Limit    time.Duration // time of all runs together after which it ends, or 0
	// Cooldown is the last part of the training, up to Steps or Limit, in which the learning rate
	// falls linearly to 0: 0 for none, less than 1.
	Cooldown float64
	Threads  int
	Device   cudalib.Choice

	// Elsewhere, if not nil, returns what plays the games elsewhere until its context ends, on a GPU of the name or, if
	// that is "", on processors. The settings have generations.
	Elsewhere func(ctx context.Context, gpu string) PlayFunc

	Fresh bool // begin again, and replace the network and the checkpoint of another training

	MatchEvery uint64 // steps between matches on boards of all sides, or 0 for none
	Match      Match  // Run sets Side, Seed and Threads
	Curve      string // .csv file for a line a match, or "" for none

	// The hooks are called by the goroutine of Run. None may be nil.

	// OnBegin is called before the first step of this run, with the device in words.
	OnBegin func(s *Session, device string, resumed bool)
	OnStep  func(hexnet.Losses) // called after each step
	// OnPoint is called after the matches that added the last point to the session's curve. An error
	// ends the training, which is saved.
	OnPoint func(*Session) error
	// OnCheckpoint is called after a checkpoint during the training, with an error if it could not be
	// written. Training goes on then.
	OnCheckpoint func(error)
	OnEnd        func() // called after the last step
}

// DeviceGames is the default of [Settings] Games on a GPU.
const DeviceGames = 2048

// Check returns why there is no such training, or nil.
func (j *Job) Check() error {
	switch m := j.Match; {
	case j.Elsewhere != nil && j.Generation == 0:
		return errors.New("games are played elsewhere in generations only")
	case j.Limit < 0:
		return fmt.Errorf("a time of %v is negative", j.Limit)
	case !(j.Cooldown >= 0 && j.Cooldown < 1):
		return fmt.Errorf("a cooldown of %v is not a part of the training, from 0 to less than 1", j.Cooldown)
	case j.MatchEvery > 0 && (m.Games < 2 || m.Games%2 != 0):
		return fmt.Errorf("%d games of a match are not an even number from 2 on", m.Games)
	case j.MatchEvery > 0 && m.Simulations < 1:
		return fmt.Errorf("%d simulations a move of the opponent are not at least one", m.Simulations)
	case j.Curve != "" && filepath.Ext(j.Curve) != ".csv":
		return fmt.Errorf("the curve %s is not a .csv file", j.Curve)
	}
	return j.Settings.Check()
}

// Run does a training: it claims the network's file, opens the device, resumes from the checkpoint
// beside the file or begins, trains, plays matches, and saves network, checkpoint and curve. When ctx
// is done it ends after the step at work, which is no error. Errors of the file are of type
// [*checkpoint.OutputError] and those of its checkpoint [*checkpoint.ResumeError].
func Run(ctx context.Context, j Job) (*Result, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	release, err := checkpoint.Claim(j.File, hexnet.Magic, j.Fresh)
	if err != nil {
		return nil, err
	}
	defer release()
	device, where, err := j.Device.Open()
	if err != nil {
		return nil, err
	}
	if device != nil {
		defer device.Close() // the results are no longer on it
	}
	if j.Games == 0 && j.Device.GPU() {
		j.Games = DeviceGames
	}
	o := Options{Threads: j.Threads, Device: device, Until: j.Steps}
	playing, stop := context.WithCancel(ctx)
	if j.Elsewhere != nil {
		gpu := ""
		if device != nil {
			gpu = device.Info().Name
		}
		o.Elsewhere = j.Elsewhere(playing, gpu)
	}
	t, err := New(j.Settings, o)
	if err != nil {
		stop()
		return nil, err
	}
	defer t.Close() // the results are no longer on it
	defer stop()
	s := &Session{Training: t, job: &j}
	resumed := false
	if !j.Fresh {
		if resumed, err = s.resume(); err != nil {
			return nil, err
		}
	}
	j.OnBegin(s, where, resumed)
	j.Match.Seed, j.Match.Threads = j.Seed, j.Threads
	err = s.run(ctx)
	j.OnEnd()
	if err := errors.Join(err, s.writeCurve()); err != nil {
		return nil, err
	}
	return &Result{
		Sides: s.Sides(), Network: j.Config.String(), Steps: s.Steps(), Games: s.Games(), Seconds: s.Spent().Seconds(),
		Operations: s.Operations(), LearningShare: s.LearningShare(), File: j.File, Curve: s.Curve,
	}, nil
}

// Result is what a training has done, in all runs together but for LearningShare.
type Result struct {
	Sides         []int   `json:"sides"`
	Network       string  `json:"network"` // its size
	Steps         uint64  `json:"steps"`
	Games         uint64  `json:"games"`
	Seconds       float64 `json:"seconds"`
	Operations    float64 `json:"flop"`
	LearningShare float64 `json:"learning_share"` // the share of learning in the time of this run
	File          string  `json:"file"`
	Curve         []Point `json:"-"`
}

// addPoint plays matches on all sides, and adds a point to the curve.
func (s *Session) addPoint(ctx context.Context) error {
	j, p := s.job, s.point()
	net, err := s.Net()
	if err != nil {
		return err
	}
	for _, j.Match.Side = range s.Sides() {
		points, err := j.Match.Play(ctx, net)
		if err != nil {
			return err
		}
		p.Scores = append(p.Scores, points/float64(j.Match.Games))
	}
	s.Curve = append(s.Curve, p)
	return errors.Join(s.writeCurve(), j.OnPoint(s))
}

// Elo returns the difference in Elo of a score, and its bounds with 95% confidence. The two games of an
// opening count as one trial, because they share it: so the bounds are rather too far apart.
func (m Match) Elo(score float64) (elo, low, high float64) {
	low, high = stats.Score95(score, m.Games/2)
	return stats.Elo(score), stats.Elo(low), stats.Elo(high)
}

// writeCurve writes a line for each point of the curve.
func (s *Session) writeCurve() error {
	if s.job.Curve == "" {
		return nil
	}
	var text bytes.Buffer
	text.WriteString("steps,games,seconds,flop,policy_loss,value_loss,reply_loss,structure_loss,kinds_loss")
	for _, side := range s.Sides() {
		fmt.Fprintf(&text, ",score_side%d,elo_side%d,low_side%d,high_side%d", side, side, side, side)
	}
	text.WriteByte('\n')
	for _, p := range s.Curve {
		l := p.Losses
		fmt.Fprintf(&text, "%d,%d,%.4g,%.4g,%.4f,%.4f,%.4f,%.4f,%.4f",
			p.Steps, p.Games, p.Seconds, p.Operations, l.Policy, l.Value, l.Reply, l.Structure, l.Kinds)
		for _, score := range p.Scores {
			elo, low, high := s.job.Match.Elo(score)
			fmt.Fprintf(&text, ",%.4f,%.0f,%.0f,%.0f", score, elo, low, high)
		}
		text.WriteByte('\n')
	}
	return atomicfile.Write(s.job.Curve, text.Bytes())
}
