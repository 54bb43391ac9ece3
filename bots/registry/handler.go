package registry

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"gamebots/solvers/policy/browse"
)

// Library has the advisors of a server's bots, by the names of games and of bots.
type Library map[string]map[string]*Advisor

// Preparing reports whether an advisor reads its strategy in the background, so that it must stay open.
func (l Library) Preparing() bool {
	for _, bots := range l {
		for _, a := range bots {
			if a.preparing.Load() {
				return true
			}
		}
	}
	return false
}

// Listed is a strategy in the list of a Library.
type Listed struct {
	Game string `json:"game"`
	Bot  string `json:"bot"`
}

// Handler lets a page look into the strategies: /strategies/ lists them, and
// /strategies/GAME/BOT?at=crc&board=Ks is the node at a point as JSON (see
// [browse.Strategy.Parse]). What is missing of the board is drawn.
func (l Library) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /strategies/{$}", func(w http.ResponseWriter, _ *http.Request) { answer(w, l.list()) })
	mux.HandleFunc("GET /strategies/{game}/{bot}", func(w http.ResponseWriter, r *http.Request) {
		advisor := l[r.PathValue("game")][r.PathValue("bot")]
		if advisor == nil {
			http.Error(w, "no strategy of that bot for that game", http.StatusNotFound)
			return
		}
		node, err := advisor.node(r.URL.Query().Get("at"), r.URL.Query().Get("board"))
		switch {
		case errors.Is(err, browse.ErrOver):
			http.Error(w, "nobody is to act there", http.StatusBadRequest)
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadRequest)
		default:
			answer(w, node)
		}
	})
	return mux
}

// list returns the strategies, sorted.
func (l Library) list() []Listed {
	all := []Listed{}
	for game, bots := range l {
		for bot := range bots {
			all = append(all, Listed{game, bot})
		}
	}
	slices.SortFunc(all, func(a, b Listed) int {
		return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Bot, b.Bot))
	})
	return all
}

// node returns the node at a point.
func (a *Advisor) node(at, board string) (*browse.Node, error) {
	if len(at) > maxQuery || len(board) > maxQuery {
		return nil, fmt.Errorf("a betting sequence has at most %d characters", maxQuery)
	}
	p, err := a.strategy.Parse(at, board)
	if err != nil {
		return nil, err
	}
	if err := p.DrawBoard(rand.New(rand.NewPCG(rand.Uint64(), 0))); err != nil {
		return nil, err
	}
	return a.strategy.At(p)
}

// maxQuery is how long a point may be, in characters.
const maxQuery = 1000

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // the client has left if it fails
}
