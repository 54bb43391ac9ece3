package tournament

import (
	"context"
	"fmt"
	"iter"
	"math"
	"testing"

	"gamebots/acpc/money"
	"gamebots/bots/arena"
	"gamebots/bots/arena/ratings"
	"gamebots/internal/stats"
	"gamebots/internal/testkit"
	"gamebots/solvers/evaluate/aivat"
)

// results are those of a run, in place of a database.
type results []arena.ShardResult

func (all results) Hands(_ context.Context, r *arena.Run) iter.Seq2[*arena.Hand, error] {
	return func(yield func(*arena.Hand, error) bool) {
		game, err := r.Plan.Acpc()
		for _, x := range all {
			for hand, failed := range arena.Hands(r.Plan, game, x.Shard, x.Packed) {
				if failed != nil {
					err = failed
				}
				if !yield(hand, err) || err != nil {
					return
				}
			}
		}
	}
}

func (all results) BoardGames(_ context.Context, r *arena.Run) iter.Seq2[*arena.TableGame, error] {
	return func(yield func(*arena.TableGame, error) bool) {
		for _, x := range all {
			games, err := arena.BoardGames(r.Plan, x.Shard, x.Packed)
			for _, g := range games {
				if !yield(&arena.TableGame{Table: x.Shard.Table, GameRecord: g}, err) {
					return
				}
			}
		}
	}
}

// playAll plays a run with a seed.
func playAll(t *testing.T, s *session, seed uint64) (*arena.Run, results, []arena.Tally) {
	t.Helper()
	p := *s.plan
	p.Seed = seed
	with := *s
	with.plan = &p
	var all results
	for shard := range p.All() {
		r, err := with.play(t.Context(), shard)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, arena.ShardResult{Shard: shard, Tally: r.Tally, Packed: r.Games})
	}
	run := &arena.Run{Plan: &p}
	return run, all, arena.Sum(run, all)
}

func of(mean float64, u stats.Uncertainty) testkit.Stated {
	return testkit.Stated{Result: mean, StandardError: math.Sqrt(u.Variance), Interval95: u.Interval95()}
}

// normal is a result with half of an interval that many observations made.
func normal(mean, half float64) testkit.Stated {
	return testkit.Stated{Result: mean, StandardError: half / stats.Z95, Interval95: half}
}

// playing returns what plays the runs of a plan.
func playing(t *testing.T, text string) *session {
	t.Helper()
	p := testPlayers()
	t.Cleanup(func() { p.Close() })
	made, err := p.Plan(settings(t, text))
	if err != nil {
		t.Fatal(err)
	}
	shared, err := bundle(made, false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.acquire(t.Context(), shared)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.sessions.release(s) })
	return s.session
}

// standings adds what the cross table says to results.
func standings(to map[string]testkit.Stated, run *arena.Run, sums []arena.Tally) {
	c := NewCrossTable(run, sums, money.Format{})
	for _, x := range c.Players {
		to[x.Name+" in all"] = normal(x.Mean, float64(x.Interval))
	}
	for i, x := range c.Tables[0].Players {
		u := uncertainty(run.Plan, &sums[0].Scores[i], sums[0].Units)
		to[x.Name+" at a table"] = of(x.Mean, u)
	}
}

// drawn adds the ends of the curves of winnings to results.
func drawn(t *testing.T, to map[string]testkit.Stated, run *arena.Run, all results) {
	t.Helper()
	won, err := ratings.WinningsOf(t.Context(), all, run)
	if err != nil {
		t.Fatal(err)
	}
	for i := range won {
		points := won[i].Points(2)
		last := points[len(points)-1]
		to[run.Plan.Players[i].Name+" drawn"] = normal(last.Won, last.Interval95)
	}
}

// The standings of poker runs, and their rankings by chips and by AIVAT.
func TestSpreadPoker(t *testing.T) {
	for game, kinds := range map[string][]string{
		"kuhn": {"trained", "random", "call"}, "kuhn-3p": {"trained", "trained2", "call", "random"},
		"leduc": {"trained", "random"},
	} {
		s := playing(t, fmt.Sprintf("run = {name = \"x\", game = %q, shard = 40}\npoker = {deals = 80}\n", game)+
			players(kinds...))
		strategies := make([]*aivat.Strategy, len(kinds))
		for i, policy := range s.policies {
			if policy != nil {
				var err error
				if strategies[i], err = aivat.ReadStrategy(policy, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		testkit.Spread(t, game, 45, func(seed uint64) map[string]testkit.Stated {
			run, all, sums := playAll(t, s, seed)
			got := map[string]testkit.Stated{}
			standings(got, run, sums)
			drawn(t, got, run, all)
			league, err := ratings.LeagueOf(run.Plan, sums, money.Format{})
			if err != nil {
				t.Fatal(err)
			}
			for i, roll := range league.Bankrolls() {
				got[kinds[i]+" by bankroll"] = normal(roll.Won, roll.Interval95)
			}
			estimates, err := ratings.EstimateRun(t.Context(), all, run, strategies, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range estimates {
				name := fmt.Sprint(kinds[e.Player], " against ", e.Others)
				got[name+" estimated"] = testkit.StatedOf(&e.Estimated)
			}
			for i, roll := range league.Estimated(run.Plan, estimates, money.Format{}).Bankrolls() {
				got[kinds[i]+" by aivat"] = normal(roll.Won, roll.Interval95)
			}
			return got
		})
	}
}

// The standings and ratings of runs of board games.
func TestSpreadBoards(t *testing.T) {
	for game, kinds := range map[string][]string{
		`game = "nim", shard = 50}
board = {openings = 100, options = '{"heaps":[3,4,5]}'`: {"xor", "random", "random2"},
		`game = "havannah", shard = 50}
board = {openings = 100, options = '{"side":3}'`: {"random", "random2"},
	} {
		s := playing(t, "run = {name = \"x\", "+game+"}\n"+players(kinds...))
		testkit.Spread(t, s.plan.Game, 25, func(seed uint64) map[string]testkit.Stated {
			run, all, sums := playAll(t, s, seed)
			got := map[string]testkit.Stated{}
			standings(got, run, sums)
			drawn(t, got, run, all)
			list, err := ratings.BoardStandings(run.Plan, sums)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range list {
				got[x.Player+" rated"] = normal(x.Elo, x.Interval)
			}
			return got
		})
	}
}
