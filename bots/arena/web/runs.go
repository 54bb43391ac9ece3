package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"gamebots/bots/arena/plan"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/arena/tournament"
)

// Runs is the list of all runs, the latest first.
type Runs struct {
	Version  string  `json:"version"`
	Runs     []Brief `json:"runs"`
	MayWrite bool    `json:"may_write,omitempty"` // whether this client may remove runs
}

// Brief is what a list says of a run.
type Brief struct {
	Run     string `json:"run"`
	Kind    string `json:"kind"` // "poker" or "board"
	Game    string `json:"game"`
	Players int    `json:"players"`
	Tables  int    `json:"tables"`
	Games   int    `json:"games"` // hands or games, planned
	Stored  int    `json:"stored"`
	Shards  int    `json:"shards"`
	// Times are to the second, as RFC 3339 has them.
	Begun time.Time `json:"begun"`
	Ended time.Time `json:"ended,omitzero"`
}

// BriefOf returns what a list says of a run.
func BriefOf(r *plan.Run) Brief {
	p := r.Plan
	return Brief{Run: p.Name, Kind: p.Kind, Game: p.Game, Players: len(p.Players), Tables: len(p.Tables), Games: p.Games() * len(p.Tables),
		Stored: r.Stored, Shards: r.Shards(), Begun: r.Created.Truncate(time.Second), Ended: r.Ended.Truncate(time.Second)}
}

func (s *Server) runs(r *http.Request) (any, string, error) {
	all, err := s.db.Runs(r.Context())
	if err != nil {
		return nil, "", err
	}
	slices.Reverse(all)
	list := Runs{Runs: []Brief{}, MayWrite: s.MayWrite != nil && s.MayWrite(r)}
	var version strings.Builder
	for _, run := range all {
		list.Runs = append(list.Runs, BriefOf(run))
		fmt.Fprint(&version, run.ID, ".", run.Last, ".", run.Ended.UnixMilli(), " ")
	}
	list.Version = fmt.Sprintf("%d %s", len(all), strings.TrimSpace(version.String()))
	return list, list.Version, nil
}

// Run is how a run is.
type Run struct {
	Brief
	Version string `json:"version"`
	Seed    uint64 `json:"seed"`
	*tournament.CrossTable
	Kinds        map[string]string  `json:"kinds"`  // of the players, by name
	Ranked       map[string]Ranked  `json:"ranked"` // by name
	Charts       []Chart            `json:"charts"`
	FailedShards []plan.FailedShard `json:"troubles,omitempty"`
	// Results has, by table, the shards whose games can be looked at.
	Shown [][]int `json:"shown"`
	// Rate is how many games a second were stored of late, 0 where that is unknown.
	Rate     float64 `json:"rate,omitempty"`
	MayWrite bool    `json:"may_write,omitempty"`
}

func (s *Server) run(r *http.Request) (any, string, error) {
	run, err := named(r, s.db)
	if err != nil {
		return nil, "", err
	}
	failed, err := s.db.FailedShards(r.Context(), run)
	if err != nil {
		return nil, "", err
	}
	version := fmt.Sprintf("%d.%d.%d.%d.%d", run.ID, run.Last, run.Stored, run.Ended.UnixMilli(), len(failed))
	if r.URL.Query().Get("seen") == version {
		return nil, version, nil
	}
	stored, err := s.stored(r, run)
	if err != nil {
		return nil, "", err
	}
	reply := Run{Brief: BriefOf(run), Version: version, Seed: run.Plan.Seed, CrossTable: tournament.NewCrossTable(run, plan.Sum(run, stored)),
		Kinds: map[string]string{}, Charts: chartsOf(run, stored), FailedShards: failed, Rate: rateOf(run, stored),
		MayWrite: s.MayWrite != nil && s.MayWrite(r)}
	for _, p := range run.Plan.Players {
		reply.Kinds[p.Name] = p.Kind
	}
	reply.Ranked = rankedOf(run.Plan, plan.Sum(run, stored))
	reply.Shown = make([][]int, len(run.Plan.Tables))
	for i := range reply.Shown {
		reply.Shown[i] = []int{}
	}
	for _, x := range stored {
		reply.Shown[x.Table] = append(reply.Shown[x.Table], x.Number)
	}
	for _, shards := range reply.Shown {
		slices.Sort(shards)
	}
	return reply, version, nil
}

// Ranked is a player's rank beside its mean: a rating at board games, and at
// poker the rank by instant runoff, from 1, where more than a table was played.
type Ranked struct {
	Elo      *float64              `json:"elo,omitempty"`
	Interval *tournament.HalfWidth `json:"elo95,omitempty"`
	Runoff   int                   `json:"runoff,omitempty"`
}

// rankedOf ranks the players of a run by its sums by table.
func rankedOf(p *plan.Plan, sums []plan.Tally) map[string]Ranked {
	all := map[string]Ranked{}
	if p.Kind == plan.Board {
		r, err := ratings.Rate(len(p.Players), ratings.EncountersOf(p, sums))
		if err != nil {
			return all // they cannot be compared yet
		}
		for i, player := range p.Players {
			half := tournament.HalfWidth(r.Interval95(i))
			all[player.Name] = Ranked{Elo: &r.Elo[i], Interval: &half}
		}
		return all
	}
	league, err := ratings.LeagueOf(p, sums)
	if err != nil || len(league.Tables) < 2 || len(league.Tables) < len(p.Tables) {
		return all
	}
	for i, rank := range ratings.RunoffRanks(league.Runoff()) {
		all[p.Players[i].Name] = Ranked{Runoff: rank}
	}
	return all
}

// progress is what is known of a run: results are read once.
type progress struct {
	stored []plan.ShardResult // in the order in which they came
	last   int64
}

// stored returns the results of a run in the order in which they came.
func (s *Server) stored(r *http.Request, run *plan.Run) ([]plan.ShardResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.known[run.ID]
	if p == nil {
		p = &progress{}
		s.known[run.ID] = p
	}
	for range 2 {
		fresh, err := s.db.Tallies(r.Context(), run, p.last)
		if err != nil {
			return nil, err
		}
		for _, x := range fresh {
			p.stored, p.last = append(p.stored, x), x.Seq
		}
		if len(p.stored) == run.Stored || len(p.stored) > run.Stored && p.last > run.Last {
			break
		}
		*p = progress{} // a table has stopped, and results were dropped
	}
	return slices.Clone(p.stored), nil
}

// rateOf returns the games a second of a run that is being played.
func rateOf(run *plan.Run, stored []plan.ShardResult) float64 {
	const recent = 30 * time.Second
	if !run.Ended.IsZero() || len(stored) < 2 {
		return 0
	}
	last := stored[len(stored)-1].At
	games, since := 0, last
	for i := len(stored) - 1; i > 0 && last.Sub(stored[i-1].At) < recent; i-- {
		games += stored[i].Tally.Games
		since = stored[i-1].At
	}
	if took := last.Sub(since).Seconds(); took > 0 && time.Since(last) < 2*recent {
		return float64(games) / took
	}
	return 0
}

// unitOf returns in what a run's winnings are counted, and how many of its results
// are one of it.
func unitOf(p *plan.Plan) (name string, scale float64) {
	if p.Kind == plan.Board {
		return "points", 1
	}
	if game, err := p.Acpc(); err == nil && game.MaxBlind() > 0 {
		return "big blinds", 1 / float64(game.MaxBlind())
	}
	return "chips", 1
}
