package page_test

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gamebots/hexproto/server/page"
)

func get(t *testing.T, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	reply, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply, string(body)
}

// Every file is served as it is written, the script and the style sheet with all that they import and the files of that
// not by themselves, with the headers that keep strangers out, and again only if it changed.
func TestFiles(t *testing.T) {
	s := httptest.NewServer(page.Handler())
	defer s.Close()
	err := filepath.WalkDir("site", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		at := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(name), "site"), "index.html")
		reply, body := get(t, s.URL+at, "Accept-Encoding", "identity")
		entry := at == "/js/main.js" || at == "/css/page.css"
		if part := path.Ext(at) == ".js" || path.Ext(at) == ".css"; part && !entry {
			if reply.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s, although it is a part of another file", at, reply.Status)
			}
			return nil
		}
		if body != string(want) && !entry {
			t.Errorf("%s: another text is served", at)
		}
		for header, part := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'",
			"X-Content-Type-Options":  "nosniff",
			"Cache-Control":           "no-cache",
		} {
			if !strings.HasPrefix(reply.Header.Get(header), part) {
				t.Errorf("%s: %s is %q", at, header, reply.Header.Get(header))
			}
		}
		if again, _ := get(t, s.URL+at, "If-None-Match",
			reply.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s: %s, although it did not change", at, again.Status)
		}
		if squeezed, body := get(t, s.URL+at, "Accept-Encoding",
			"gzip"); squeezed.Header.Get("Content-Encoding") != "gzip" || !strings.HasPrefix(body, "\x1f\x8b") {
			t.Errorf("%s: is not compressed", at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"/index", "/js", "/js/", "/../page.go", "/site/index.html"} {
		if reply, _ := get(t, s.URL+at); reply.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", at, reply.Status)
		}
	}
	reply, err := http.Post(s.URL, "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if reply.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a post: %s", reply.Status)
	}
}

// What a file of the page must not have, each for its reason. The browser would
// refuse most of it, but only when it comes to it.
var never = []struct {
	what *regexp.Regexp
	why  string
}{
	{regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment`),
		"text would be read as markup"},
	{regexp.MustCompile(`\beval\(|new Function|setTimeout\("`), "text would be read as a program"},
	{regexp.MustCompile(`(src|href|url|import|from)[=( ]*["']?(https?:)?//`), "it is loaded from elsewhere"},
	{regexp.MustCompile(`<style|<script>|<[a-z]+ [^>]*\b(style|on[a-z]+)=`), "the policy forbids it in the text"},
}

func TestNever(t *testing.T) {
	err := filepath.WalkDir("site", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, n := range never {
			for line := range strings.Lines(string(text)) {
				isComment := strings.HasPrefix(strings.TrimSpace(line), "//")
				if found := n.what.FindString(line); found != "" && !isComment {
					t.Errorf("%s has %q: %s", name, found, n.why)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
