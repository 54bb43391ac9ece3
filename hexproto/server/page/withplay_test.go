package page_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"gamebots/hexproto/server/page"
)

// A folder of make web is served below /play/, compressed where it can be, and nothing beside it.
func TestWithPlay(t *testing.T) {
	folder := t.TempDir()
	if _, err := page.WithPlay(folder); err == nil {
		t.Error("a folder without the program is served")
	}
	for name, text := range map[string]string{
		"index.html": "<p>", "gamebots.wasm": "program", "gamebots.wasm.gz": "gz", "gamebots.wasm.br": "br",
		"css/a.css": "p{}",
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h, err := page.WithPlay(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, accepts     string
		status            int
		body, kind, coded string
	}{
		{"/play/", "gzip", 200, "<p>", "text/html; charset=utf-8", ""},
		{"/play", "", 307, "", "", ""},
		{"/play/css/a.css", "br", 200, "p{}", "text/css; charset=utf-8", ""},
		{"/play/gamebots.wasm", "gzip, deflate, br", 200, "br", "application/wasm", "br"},
		{"/play/gamebots.wasm", "gzip", 200, "gz", "application/wasm", "gzip"},
		{"/play/gamebots.wasm", "", 200, "program", "application/wasm", ""},
		{"/play/css", "", 404, "", "", ""},
		{"/play/../page.go", "", 307, "", "", ""},
		{"/play/%2e%2e/page.go", "", 404, "", "", ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, test.path, nil)
		r.Header.Set("Accept-Encoding", test.accepts)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		header := w.Header()
		if w.Code != test.status || test.status == 200 && (w.Body.String() != test.body ||
			header.Get("Content-Type") != test.kind || header.Get("Content-Encoding") != test.coded) {
			t.Errorf("%s, %q: %d, %q, %v", test.path, test.accepts, w.Code, w.Body, header)
		}
	}
}
