package server_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/bots/matrixbot"
	"gamebots/hexproto/boards"
	"gamebots/hexproto/server"
	"gamebots/hexproto/server/database"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

// fetch returns a page of JSON.
func fetch[T any](t *testing.T, h *testServer, path string) T {
	t.Helper()
	var v T
	if text := get(t, h, path, ""); json.Unmarshal([]byte(text), &v) != nil {
		t.Fatalf("%s: %s", path, text)
	}
	return v
}

// ids returns the ids of listed games.
func ids(games []wire.Brief) []string {
	var ids []string
	for _, g := range games {
		ids = append(ids, g.Game)
	}
	return ids
}

// played plays five games and returns their ids: two of a series that ada wins and loses,
// a draw on a larger board, one that is aborted, and one of bob and eve.
func played(t *testing.T, h *testServer) (won, lost, drawn, aborted, others string) {
	t.Helper()
	ada, bob, eve := join(t, h, "Ada"), join(t, h, "bob"), join(t, h, "eve")
	won = sit(t, ada, bob, wire.Challenge{Rated: true, Tag: "night-0"})
	rate(won, ada, bob)
	bob.must(&wire.Resign{Game: won})
	lost = sit(t, ada, bob, wire.Challenge{Rated: true, Tag: "night-1"})
	rate(lost, ada, bob)
	ada.must(&wire.Resign{Game: lost})
	drawn = sit(t, bob, ada, wire.Challenge{Options: json.RawMessage(`{"side":6}`), Tag: "night-x"})
	ada.must(&wire.Offer{Game: drawn, Offer: wire.OfferDraw})
	bob.must(&wire.Offer{Game: drawn, Offer: wire.OfferDraw})
	aborted = sit(t, ada, bob, wire.Challenge{Rated: true})
	ada.must(&wire.Abort{Game: aborted})
	others = sit(t, bob, eve, wire.Challenge{})
	bob.must(&wire.Resign{Game: others})
	sit(t, eve, ada, wire.Challenge{}) // goes on, so it is in no list
	return won, lost, drawn, aborted, others
}

func TestRecords(t *testing.T) {
	h := start(t, nil)
	won, lost, drawn, aborted, others := played(t, h)
	today, tomorrow := time.Now().UTC().Format(time.DateOnly), time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	for query, want := range map[string][]string{
		"":                               {others, aborted, drawn, lost, won},
		"player=ADA":                     {aborted, drawn, lost, won},
		"player=eve":                     {others},
		"player=nobody":                  nil,
		"player=ada&opponent=Eve":        nil,
		"player=bob&opponent=eve":        {others},
		"player=bob&opponent=ada":        {aborted, drawn, lost, won},
		"player=ada&result=won":          {won},
		"player=ada&result=lost":         {lost},
		"player=bob&result=won":          {lost},
		"result=drawn":                   {drawn},
		"result=aborted":                 {aborted},
		"how=resign":                     {others, lost, won},
		"rated=true":                     {aborted, lost, won},
		"kind=havannah-6":                {drawn},
		"rules=nim":                      nil,
		"tag=night-1":                    {lost},
		"series=night":                   {lost, won},
		"series=nigh":                    nil,
		"player=bob&series=night":        {lost, won},
		"player=eve&series=night":        nil,
		"limit=2":                        {others, aborted},
		"before=" + aborted + "&limit=2": {drawn, lost},
		"player=ada&before=" + drawn:     {lost, won},
		"since=" + today + "&until=" + tomorrow + "&player=eve": {others},
		"since=" + tomorrow: nil,
		"until=1000":        nil,
	} {
		if got := ids(fetch[[]wire.Brief](t, h, "/records/?"+query)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	games := fetch[[]wire.Brief](t, h, "/records/?player=ada")
	for i, want := range []string{"aborted", "drawn", "lost", "won"} {
		g := games[i]
		if g.Outcome != want || g.Ended < g.Started || g.Started == 0 || g.Kind == "" ||
			(len(g.Changes) > 0) != (g.Rated && want != "aborted") {
			t.Errorf("%+v, want %s", g, want)
		}
	}
	if g := games[3]; !slices.Equal(g.Changes, []int{50, -50}) || g.Seats[0].Rating != 1550 {
		t.Errorf("a rated game is %+v", g)
	}
	for _, query := range []string{
		"limit=0", "limit=1001", "limit=x", "result=won", "result=tie", "opponent=ada", "before=gnone",
		"since=yesterday",
		"option.side=6", "rated=1", "player=a&player=b", "plyer=ada", "player=" + strings.Repeat("x", 30000),
	} {
		if got := get(t, h, "/records/?"+query, ""); got != "400" {
			t.Errorf("%.40s: %.60s", query, got)
		}
	}
	for _, name := range []string{"'; DROP TABLE games; --", "a' OR '1'='1", "%", "_", "\x00", "éáñ\u202e"} {
		if got := get(t, h, "/records/?player="+url.QueryEscape(name), ""); got != "[]\n" {
			t.Errorf("%q: %s", name, got)
		}
	}

	if got := fetch[wire.Summary](t, h, "/records/summary?player=ada"); got != (wire.Summary{
		Games: 4, Won: 1, Lost: 1, Drawn: 1, Aborted: 1,
	}) {
		t.Errorf("%+v", got)
	}
	if got := fetch[wire.Summary](t, h, "/records/summary?player=bob&series=night"); got != (wire.Summary{
		Games: 2, Won: 1, Lost: 1,
	}) {
		t.Errorf("%+v", got)
	}
	if got := get(t, h, "/records/summary", ""); got != "400" {
		t.Errorf("a summary of nobody: %s", got)
	}

	text := get(t, h, "/records/games.txt?player=ada", "")
	want := ""
	for _, id := range []string{aborted, drawn, lost, won} {
		want += get(t, h, "/records/"+id+".txt", "")
	}
	if text != want {
		t.Errorf("downloaded %s, want %s", text, want)
	}
	lines := strings.Split(strings.TrimSpace(get(t, h, "/records/games.jsonl", "")), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines", len(lines))
	}
	if _, m, err := wire.FromServer.Decode([]byte(lines[3])); err != nil || m.(*wire.Game).Game != lost ||
		len(m.(*wire.Game).Moves) != 4 {
		t.Errorf("%+v, %v", m, err)
	}
	if hgf := get(t, h, "/records/games.hgf?result=drawn", ""); !strings.HasPrefix(hgf, "(;FF[4]") {
		t.Errorf("hgf %q", hgf)
	}
	if got := get(t, h, "/records/games.txt?result=tie", ""); got != "400" {
		t.Errorf("a download of a wrong query: %s", got)
	}
}

// A download has more games than one list, each once.
func TestLongDownload(t *testing.T) {
	h := start(t, func(c *server.Config) { c.Limits.Rate, c.Limits.Burst = 1e6, 1e6 })
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	var want []string
	for range 130 {
		id := sit(t, ada, bob, wire.Challenge{})
		ada.must(&wire.Resign{Game: id})
		want = append(want, id)
	}
	slices.Reverse(want)
	var got []string
	for line := range strings.Lines(get(t, h, "/records/games.txt?player=ada", "")) {
		got = append(got, strings.Fields(line)[0])
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d games, want %d", len(got), len(want))
	}
}

// An old game is read from the database once.
func TestOldGameIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	h := open(t, path, nil)
	_, lost, _, _, _ := played(t, h)
	h.end()
	h = open(t, path, nil)
	max := join(t, h, "max")
	if g := max.state(lost); len(g.Moves) != 4 {
		t.Fatalf("%+v", g)
	}
	db, err := database.Open(path, database.SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`DELETE FROM moves`); err != nil {
		t.Fatal(err)
	}
	if g := max.state(lost); len(g.Moves) != 4 {
		t.Errorf("read again: %+v", g)
	}
}

func TestProfile(t *testing.T) {
	h := start(t, nil)
	won, lost, drawn, aborted, _ := played(t, h)
	p := fetch[wire.Profile](t, h, "/players/ADA")
	if p.Name != "Ada" || p.Bot || !p.Online || time.Since(time.UnixMilli(p.Since)).Abs() > time.Hour ||
		!slices.Equal(ids(p.Games), []string{aborted, drawn, lost, won}) {
		t.Errorf("%+v", p)
	}
	if len(p.Kinds) != 2 || p.Kinds[0].Kind != "havannah-5" || p.Kinds[0].Won != 1 || p.Kinds[0].Lost != 1 ||
		p.Kinds[0].Games != 2 || p.Kinds[1].Drawn != 1 || p.Kinds[1].Games != 0 {
		t.Errorf("%+v", p.Kinds)
	}
	if history := p.Kinds[0].History; len(history) != 1 || history[0].Rating != p.Kinds[0].Rating.Rating ||
		history[0].At > time.Now().UnixMilli() {
		t.Errorf("%+v", history)
	}
	if p := fetch[wire.Profile](t, h, "/players/random"); !p.Bot || !p.Online || len(p.Kinds) != 0 ||
		len(p.Games) != 0 {
		t.Errorf("%+v", p)
	}
	text := get(t, h, "/players/Ada", "")
	if strings.Contains(text, "gb_") || strings.Contains(text, "token") {
		t.Errorf("secrets in %s", text)
	}
	for _, name := range []string{
		"nobody", "a", "__proto__", "constructor", "..%2f..%2fetc", "%00", "ada%27--", "%D0%B0da",
		strings.Repeat("x", 5000),
	} {
		if got := get(t, h, "/players/"+name, ""); got != "404" {
			t.Errorf("%.40s: %s", name, got)
		}
	}
}

// Lists and profiles are as private as the games.
func TestRecordsArePrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	h := open(t, path, func(c *server.Config) { c.Open = false })
	for _, page := range []string{"/records/summary?player=random", "/records/games.txt", "/players/random"} {
		if got := get(t, h, page, ""); got != "401" {
			t.Errorf("%s: %s", page, got)
		}
	}
	token, err := server.AddAccount(path, "ada", false)
	if err != nil {
		t.Fatal(err)
	}
	if got := get(t, h, "/players/random", token); !strings.Contains(got, fmt.Sprintf("%q", "random")) {
		t.Error(got)
	}
}

// withMatrix adds matrix games to a server, and a bot that plays them.
func withMatrix(c *server.Config) {
	c.Rules = append(c.Rules, matrixbot.Rules)
	dice := matrixbot.Bot(matrixbot.Random{})
	c.Bots = append(c.Bots, engines.Bot{Name: "dice", Rules: []string{boards.MatrixName}, Bot: dice})
}

// largeGame returns the options of a matrix game whose text is long.
func largeGame(t *testing.T, name string, actions int) json.RawMessage {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "NFG 1 R %q { \"row\" \"column\" } { %d %d }\n\n", name, actions, actions)
	for i := range 2 * actions * actions {
		fmt.Fprint(&text, i%3, " ")
	}
	options, err := json.Marshal(boards.MatrixOptions{Game: text.String(), Rounds: 2})
	if err != nil {
		t.Fatal(err)
	}
	return options
}

// The text of a game is stored once, however many games have it. Lists show its first line, and
// all else the whole text, also after a restart.
func TestLargeOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	h := open(t, path, withMatrix)
	ada, bob := join(t, h, "ada"), join(t, h, "bob")
	options := largeGame(t, "chicken", 30)
	first := `NFG 1 R "chicken" { "row" "column" } { 30 30 }…`
	short := func(where string, options json.RawMessage, cut bool) {
		t.Helper()
		var o boards.MatrixOptions
		if err := json.Unmarshal(options, &o); err != nil || !cut || o.Game != first || o.Rounds != 2 {
			t.Errorf("%s: %s, %v", where, options, cut)
		}
	}
	var games []string
	for range 2 {
		ada.must(&wire.Challenge{Rules: boards.MatrixName, Options: options, To: "bob"})
		c := want[wire.Challenged](bob)
		short("the challenge", c.Options, c.Cut)
		bob.send(&wire.ViewChallenge{Challenge: c.Challenge})
		if c = want[wire.Challenged](bob); string(c.Options) != string(options) || c.Cut {
			t.Errorf("on request the challenge is %+v", c)
		}
		games = append(games, bob.must(&wire.Accept{Challenge: c.Challenge}).Game)
	}
	ada.must(&wire.Challenge{Rules: boards.MatrixName, Options: options})
	bob.send(&wire.EnterLobby{On: true})
	l := want[wire.Lobby](bob)
	for len(l.Challenges) == 0 || len(l.Games) < 2 {
		l = want[wire.Lobby](bob)
	}
	short("a challenge in the lobby", l.Challenges[0].Options, l.Challenges[0].Cut)
	short("a game in the lobby", l.Games[1].Options, l.Games[1].Cut)
	ada.must(&wire.Resign{Game: games[0]})
	h.end()

	h = open(t, path, withMatrix)
	ada = ada.again(h)
	for i, id := range games {
		if g := ada.state(id); string(g.Options) != string(options) {
			t.Errorf("game %d has the options %s after a restart", i, g.Options)
		}
	}
	ada.must(&wire.Resign{Game: games[1]})
	for where, list := range map[string][]wire.Brief{
		"records": fetch[[]wire.Brief](t, h, "/records/"),
		"profile": fetch[wire.Profile](t, h, "/players/ada").Games,
	} {
		for _, g := range list {
			short(where, g.Options, g.Cut)
		}
		if len(list) != 2 {
			t.Errorf("%s: %d games", where, len(list))
		}
	}
	db, err := database.Open(path, database.SyncNormal, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var texts, bytes int
	err = db.QueryRow(`SELECT (SELECT count(*) FROM texts), sum(length(options)) FROM games`).Scan(&texts, &bytes)
	if err != nil || texts != 1 || bytes > 300 {
		t.Errorf("%d texts, and options of %d bytes, %v", texts, bytes, err)
	}
}
