package registry

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"gamebots/solvers/policy/browse"
)

func TestHandler(t *testing.T) {
	library := Library{"leduc": {"cfr": trained(t, "leduc", 100)}}
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		library.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
	if code, body := get("/strategies/"); code != http.StatusOK || body != `[{"game":"leduc","bot":"cfr"}]`+"\n" {
		t.Errorf("%d, %s", code, body)
	}
	for at, board := range map[string]string{"": "", "cr": "", "crc/": "Ks", "crc/r": ""} {
		code, body := get("/strategies/leduc/cfr?" + url.Values{"at": {at}, "board": {board}}.Encode())
		var node browse.Node
		if err := json.Unmarshal([]byte(body), &node); code != http.StatusOK || err != nil || node.Betting != at ||
			len(node.Actions) < 2 || board != "" && node.Board != board {
			t.Errorf("%q, %q: %d, %v, %s", at, board, code, err, body)
		}
	}
	for path, want := range map[string]int{
		"/strategies/kuhn/cfr": http.StatusNotFound, "/strategies/leduc/eve": http.StatusNotFound,
		"/strategies/leduc/cfr?at=z":                            http.StatusBadRequest,
		"/strategies/leduc/cfr?at=rf":                           http.StatusBadRequest,
		"/strategies/leduc/cfr?at=cc/&board=Zz":                 http.StatusBadRequest,
		"/strategies/leduc/cfr?at=" + strings.Repeat("c", 1001): http.StatusBadRequest,
	} {
		if code, body := get(path); code != want || strings.TrimSpace(body) == "" {
			t.Errorf("%s: %d, %s", path, code, body)
		}
	}
}

// FuzzHandler asks for any point. No request fails otherwise than with a text.
func FuzzHandler(f *testing.F) {
	for _, point := range [][2]string{{"crc/r", "Ks"}, {"MATCHSTATE:0:7:rc/:Ks|/Qs", ""},
		{"STATE:1:cc/:Ks|Qs/As", "As"}, {"r999999999999c//", "KsKsKs"}} {
		f.Add(point[0], point[1])
	}
	h := Library{"leduc": {"cfr": trained(f, "leduc", 10)}}.Handler()
	f.Fuzz(func(t *testing.T, at, board string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w,
			httptest.NewRequestWithContext(t.Context(), http.MethodGet,
				"/strategies/leduc/cfr?"+url.Values{"at": {at}, "board": {board}}.Encode(), nil))
		if w.Code != http.StatusOK && w.Code != http.StatusBadRequest {
			t.Errorf("%q, %q: %d, %s", at, board, w.Code, w.Body)
		}
	})
}
