package dealer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
)

// Replayed is a match that was verified, or the beginning of one.
type Replayed struct {
	Name   string
	Played uint32 // how many hands were verified
	Hands  uint32 // how many the whole match has
	Seed   uint32
	Score  string // the line, "" if the log, or what is right of it, ends before
}

// Replay verifies the matches of a log: the cards by the seed, the actions by the rules,
// the text of the betting, the values, the rotation of the names, and the score. A
// resumed match may have its header again between hands; if it was resumed after its last
// hand, it has the score again. A match that was interrupted is the last one and has no score.
// The error is that of the first line that differs, or of reading it; the matches before it are returned, too.
// If all players have the same name, Replay cannot tell fixed seats and takes them to rotate.
func Replay(file string, log io.Reader, g *acpc.Game) ([]Replayed, error) {
	r := replay{game: g}
	lines := bufio.NewReader(log)
	for number := 1; ; number++ {
		line, err := acpc.ReadLine(lines)
		if err == io.EOF && line == "" {
			break
		}
		if err == nil {
			err = r.line(line[:len(line)-1])
		} else if err == io.EOF {
			err = errors.New("the line has no end")
		}
		if err != nil {
			return r.all(), fmt.Errorf("%s:%d: %w", file, number, err)
		}
	}
	matches := r.all()
	if len(matches) == 0 {
		return nil, fmt.Errorf("%s: no match", file)
	}
	return matches, nil
}

// replay is the progress through a log.
type replay struct {
	game     *acpc.Game
	matches  []Replayed
	title    string         // first line of the current or last match
	over     string         // title of the last finished match
	progress *matchProgress // current match, nil between matches
}

func (r *replay) line(line string) error {
	switch {
	case strings.HasPrefix(line, acpc.LogTitle):
		return r.header(line)
	case strings.HasPrefix(line, "#"):
		return nil
	case r.progress == nil:
		return errors.New("no header before the line")
	case strings.HasPrefix(line, "SCORE:"):
		return r.score(line)
	}
	return r.hand(line)
}

// all returns the finished matches, and the one that is not over.
func (r *replay) all() []Replayed {
	if r.progress == nil || r.progress.hand.HandID == 0 && r.title == r.over {
		return r.matches
	}
	return append(r.matches, r.progress.replayed(""))
}

// replayed returns what was verified of a match.
func (c *matchProgress) replayed(score string) Replayed {
	return Replayed{
		Name: c.match.Name, Played: c.hand.HandID, Hands: c.match.Hands, Seed: c.match.Seed, Score: score,
	}
}

// header begins a match, unless it is the header of a resumed one.
func (r *replay) header(line string) error {
	if r.progress != nil && line == r.title {
		return nil
	}
	match, game, handsText, seedText, ok := acpc.ParseLogTitle(line)
	if !ok {
		return errors.New("the header lacks name, game, hands or seed")
	}
	if seedText == acpc.NoSeed {
		return errors.New("the header tells no seed: the log has what one player saw, and its cards cannot be verified")
	}
	hands, err := strconv.ParseUint(handsText, 10, 32)
	seed, seedErr := strconv.ParseUint(seedText, 10, 32)
	if err != nil || seedErr != nil || hands == 0 {
		return errors.New("the header ends in no hands and seed")
	}
	if r.progress != nil {
		return fmt.Errorf("another match begins after %d of %d hands", r.progress.hand.HandID, r.progress.match.Hands)
	}
	m := &Match{Name: match, GameFile: game, Game: r.game, Hands: uint32(hands), Seed: uint32(seed)}
	r.title, r.progress = line, m.newProgress()
	return nil
}

// hand replays the hand of a line.
func (r *replay) hand(line string) error {
	logged, _, names, err := r.game.ParseResult(line)
	if err != nil {
		return err
	}
	c := r.progress
	if c.over() || logged.HandID != c.hand.HandID {
		return fmt.Errorf("hand %d where hand %d of %d follows", logged.HandID, c.hand.HandID, c.match.Hands)
	}
	if !logged.Finished() {
		return errors.New("the hand is not over")
	}
	switch m := c.match; c.hand.HandID {
	case 0:
		m.Names = names // seats and positions are the same in hand 0
	case 1:
		m.Fixed = slices.Equal(names, m.Names) && len(slices.Compact(slices.Clone(names))) > 1
	}
	for round := range logged.Round() + 1 {
		for _, a := range logged.Actions(round) {
			c.hand.Apply(a)
		}
	}
	err = compare("the hand was played otherwise", line, string(c.match.AppendHand(nil, &c.hand)))
	if err == nil {
		c.next()
	}
	return err
}

// score ends a match.
func (r *replay) score(line string) error {
	c, m := r.progress, r.progress.match
	if again := c.hand.HandID == 0 && r.title == r.over; again && line == r.matches[len(r.matches)-1].Score {
		r.progress = nil
		return nil
	}
	if !c.over() {
		return fmt.Errorf("the score after %d of %d hands", c.hand.HandID, m.Hands)
	}
	if err := compare("the hands add up otherwise", line, string(m.AppendScore(nil, c.score))); err != nil {
		return err
	}
	r.matches = append(r.matches, c.replayed(line))
	r.progress, r.over = nil, r.title
	return nil
}

func compare(msg, got, want string) error {
	if want = strings.TrimSuffix(want, "\n"); got != want {
		return fmt.Errorf("%s\n  got  %s\n  want %s", msg, got, want)
	}
	return nil
}
