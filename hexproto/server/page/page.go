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

// policy is the Content-Security-Policy: everything from here, scripts and styles
// from files only, and no script that is made of text. Browsers take a websocket
// to the same host for 'self'.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// types are the media types of the page's files. They are not left to the
// system, whose registry may say text/plain of scripts.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// file is a file of the page, and what is said of it.
type file struct {
	kind  string
	tag   string // changes when the file does
	plain []byte
	small []byte // compressed
}

// files reads the page once: by path, where "/" is index.html.
var files = sync.OnceValue(func() map[string]file {
	all := map[string]file{}
	err := fs.WalkDir(site, "site", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		plain, err := site.ReadFile(name)
		if err != nil {
			return err
		}
		kind, ok := types[path.Ext(name)]
		if !ok {
			return fmt.Errorf("%s: a kind of file that is not served", name)
		}
		sum := sha256.Sum256(plain)
		at := strings.TrimSuffix(strings.TrimPrefix(name, "site"), "index.html")
		all[at] = file{kind, `"` + hex.EncodeToString(sum[:8]) + `"`, plain, compress(plain)}
		return nil
	})
	if err != nil {
		panic(err) // what is embedded is known when the program is built
	}
	return all
})

// preload tells browsers of all modules at once, which they would else discover
// one import after the other.
var preload = sync.OnceValue(func() string {
	var links []string
	for name := range files() {
		if path.Ext(name) == ".js" {
			links = append(links, "<"+strings.TrimPrefix(name, "/")+">; rel=modulepreload")
		}
	}
	slices.Sort(links)
	return strings.Join(links, ", ")
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
		panic(err) // a buffer takes all
	}
	return small.Bytes()
}

// Handler serves the page. Paths that it does not have are not found.
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
	// Browsers keep the files but ask whether they changed: after an upgrade no
	// old module meets a new one.
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", f.tag)
	if r.URL.Path == "/" {
		h.Set("Link", preload())
	}
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
		w.Write(body) // whoever went away needs no answer
	}
}
