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
	"gamebots/internal/stats"
)

// Runs lists all runs, the latest first.
type Runs struct {
	Version  string  `json:"version"`
	Runs     []Brief `json:"runs"`
	MayWrite bool    `json:"may_write,omitempty"` // whether this client may remove runs
}

// Brief is the entry of a run in the list.
type Brief struct {
	Run     string `json:"run"`
	Kind    string `json:"kind"` // "poker" or "board"
	Game    string `json:"game"`
	Players int    `json:"players"`
	Tables  int    `json:"tables"`
	Games   int    `json:"games"` // planned hands or games
	Stored  int    `json:"stored"`
	Shards  int    `json:"shards"`
	// Times are in RFC 3339 format, truncated to the second.
	Begun time.Time `json:"begun"`
	Ended time.Time `json:"ended,omitzero"`
}

// BriefOf returns the entry of a run in the list.
func BriefOf(r *plan.Run) Brief {
	p := r.Plan
	return Brief{Run: p.Name, Kind: p.Kind, Game: p.Game, Players: len(p.Players), Tables: len(p.Tables),
		Games:  p.Games() * len(p.Tables),
		Stored: r.Stored, Shards: r.Shards(), Begun: r.Created.Truncate(time.Second),
		Ended: r.Ended.Truncate(time.Second)}
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

// Run has the standings of a run.
type Run struct {
	Brief
	Version string `json:"version"`
	Seed    uint64 `json:"seed"`
	*tournament.CrossTable
	Kinds        map[string]string  `json:"kinds"`  // kinds of the players, by name
	Ranked       map[string]Ranked  `json:"ranked"` // ranks by name
	Charts       []Chart            `json:"charts"`
	FailedShards []plan.FailedShard `json:"troubles,omitempty"`
	// Shown lists, by table, the shards whose games can be viewed.
	Shown [][]int `json:"shown"`
	// Rate is the recent number of games stored a second, 0 if unknown.
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
	reply := Run{Brief: BriefOf(run), Version: version, Seed: run.Plan.Seed,
		CrossTable: tournament.NewCrossTable(run, plan.Sum(run, stored)),
		Kinds:      map[string]string{}, Charts: chartsOf(run, stored), FailedShards: failed, Rate: rateOf(run, stored),
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

// Ranked is a player's rank, besides its mean: a rating in board games; in poker the
// rank by instant runoff, from 1, if the run has more than one table.
type Ranked struct {
	Elo      *float64         `json:"elo,omitempty"`
	Interval *stats.HalfWidth `json:"elo95,omitempty"`
	Runoff   int              `json:"runoff,omitempty"`
}

// rankedOf ranks the players of a run from the sums of its tables.
func rankedOf(p *plan.Plan, sums []plan.Tally) map[string]Ranked {
	all := map[string]Ranked{}
	if p.Kind == plan.Board {
		r, err := ratings.Rate(len(p.Players), ratings.EncountersOf(p, sums))
		if err != nil {
			return all // too few games to compare the players
		}
		for i, player := range p.Players {
			half := stats.HalfWidth(r.Interval95(i))
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

// progress caches the results of a run, so that each is read once.
type progress struct {
	stored []plan.ShardResult // ordered by the time of storage
	last   int64              // the last one's sequence number
}

// stored returns the results of a run in the order in which they were stored.
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
		*p = progress{} // a table was stopped early, and its surplus results were dropped
	}
	return slices.Clone(p.stored), nil
}

// rateOf returns the games stored a second over the last 30 seconds, or 0 if the run has
// ended or stalled.
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

// unitOf returns the unit in which the winnings of a run are shown, and the factor that
// converts results to it.
func unitOf(p *plan.Plan) (name string, scale float64) {
	if p.Kind == plan.Board {
		return "points", 1
	}
	if game, err := p.Acpc(); err == nil && game.MaxBlind() > 0 {
		return "big blinds", 1 / float64(game.MaxBlind())
	}
	return "chips", 1
}
