package page

import (
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// WithPlay serves a folder of "make web" below /play/, and [Handler] elsewhere.
func WithPlay(folder string) (http.Handler, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	if _, err := root.Stat("gamebots.wasm"); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", folder, err), root.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("/", Handler())
	mux.Handle("GET /play/", http.StripPrefix("/play/", play{root}))
	return mux, nil
}

// play serves the files of a folder.
type play struct{ root *os.Root }

// encodings are those of the compressed files beside others, best first.
var encodings = []struct{ name, ext string }{{"br", ".br"}, {"gzip", ".gz"}}

func (p play) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := cmp.Or(r.URL.Path, "index.html")
	h := w.Header()
	h.Set("Content-Security-Policy", "frame-ancestors 'none'") // the rest is in the page, for any server
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache") // as the page's
	for _, e := range encodings {
		if strings.Contains(r.Header.Get("Accept-Encoding"), e.name) && p.serve(w, r, name, e.name, e.ext) {
			return
		}
	}
	if !p.serve(w, r, name, "", "") {
		http.NotFound(w, r)
	}
}

// serve serves a file with an extension more, and reports whether there is one.
func (p play) serve(w http.ResponseWriter, r *http.Request, name, encoding, more string) bool {
	f, err := p.root.Open(filepath.FromSlash(name + more))
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	h := w.Header()
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	kind := path.Ext(name)
	h.Set("Content-Type", cmp.Or(types[kind], mime.TypeByExtension(kind), "application/octet-stream"))
	h.Set("ETag", fmt.Sprintf(`"%x-%x%s"`, info.ModTime().UnixNano(), info.Size(), encoding))
	http.ServeContent(w, r, name, info.ModTime(), f)
	return true
}
