package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed site
var site embed.FS

// policy is the Content-Security-Policy: everything comes from this server, scripts and
// styles from files only, and no script is made from text. For browsers a websocket to
// the same host is 'self'.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// types are the media types of the page's files. The system's registry may call scripts
// text/plain.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".wasm": "application/wasm",
}

// file is a file of the page with its headers.
type file struct {
	kind  string
	tag   string // changes when the file does
	plain []byte
	small []byte // compressed
}

// files has the files of the page by path. "/" is index.html. The script and the style sheet have all that they import.
var files = sync.OnceValue(func() map[string]file {
	all := map[string]file{}
	root, err := fs.Sub(site, "site")
	if err != nil {
		panic(err) // embedded files are the same in every run
	}
	bundled, err := Bundle(root, "css/page.css", "js/main.js")
	if err != nil {
		panic(err)
	}
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		plain, ok := bundled[name]
		switch {
		case ok && plain == nil:
			return nil // it is a part of another file
		case !ok:
			if plain, err = fs.ReadFile(root, name); err != nil {
				return err
			}
		}
		kind, ok := types[path.Ext(name)]
		if !ok {
			return fmt.Errorf("%s: a kind of file that is not served", name)
		}
		sum := sha256.Sum256(plain)
		at := "/" + strings.TrimSuffix(name, "index.html")
		all[at] = file{kind, `"` + hex.EncodeToString(sum[:8]) + `"`, plain, compress(plain)}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return all
})

func compress(plain []byte) []byte {
	var small bytes.Buffer
	w, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // a buffer never fails
	}
	return small.Bytes()
}

// Handler serves the page, and 404 for other paths.
func Handler() http.Handler {
	return http.HandlerFunc(serve)
}

func serve(w http.ResponseWriter, r *http.Request) {
	f, ok := files()[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the page can only be read", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	// Browsers store the files but ask whether they have changed, so that after an
	// upgrade old modules never run beside new ones.
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", f.tag)
	if slices.Contains(strings.Split(r.Header.Get("If-None-Match"), ", "), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", f.kind)
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.small
	}
	h.Set("Content-Length", fmt.Sprint(len(body)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // an error means that the client has gone
	}
}
