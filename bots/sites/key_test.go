package sites

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gamebots/internal/usererr"
)

// A key comes from a file or the environment, without the blanks around it. A file becomes private.
func TestReadKey(t *testing.T) {
	const variable = "GAMEBOTS_TEST_KEY"
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(" of-file\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadKey("", variable); !usererr.IsUsage(err) || !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
	t.Setenv(variable, "of-environment")
	if k, err := ReadKey("", variable); err != nil || *k.secret != "of-environment" {
		t.Errorf("%v: %v", k, err)
	}
	if k, err := ReadKey(file, variable); err != nil || *k.secret != "of-file" {
		t.Errorf("%v: %v", k, err)
	}
	if _, err := ReadKey("s3cret", variable); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("without the file: %v", err)
	}
	if info, err := os.Stat(file); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("the file has the mode %v: %v", info.Mode(), err)
	}
	for _, text := range []string{"", "two\nlines", "two words", "ключ", "x\r\ny"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadKey(file, variable); err == nil || !strings.Contains(err.Error(), file) ||
			text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%q is read: %v", text, err)
		}
	}
}

// No way to print a key, or what it is in, shows it.
func TestKeyIsHidden(t *testing.T) {
	const secret = "s3cret"
	k := key(t, secret)
	c := client(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"detail": "%s is unknown"}`, secret)
	})
	c.Key, c.KeyHeader = k, "Authorization"
	data, err := json.Marshal(struct{ Key Key }{k})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{string(data), fmt.Sprint(c.Get(t.Context(), "/", nil))}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		texts = append(texts, fmt.Sprintf(format, k), fmt.Sprintf(format, struct{ k Key }{k}), fmt.Sprintf(format, c))
	}
	for _, text := range texts {
		if strings.Contains(text, secret) || strings.Contains(text, fmt.Sprintf("%x", secret)) {
			t.Errorf("%s", text)
		}
	}
}

// A key is sent only where nobody on the way can read it.
func TestPlainKey(t *testing.T) {
	for address, want := range map[string]bool{
		"https://site.test": true, "http://127.0.0.1:80": true, "http://[::1]": true, "http://localhost": true,
		"http://site.test": false, "http://127.0.0.1.site.test": false,
	} {
		asked := false
		c := client(func(w http.ResponseWriter, r *http.Request) {
			asked = r.Header.Get("Authorization") == "Bearer s3cret"
			fmt.Fprint(w, "{}")
		})
		c.URL, c.Key, c.KeyHeader = address, key(t, "s3cret"), "Authorization"
		var answer struct{}
		err := c.Post(t.Context(), "/", struct{}{}, &answer)
		if (err == nil) != want || asked != want || Unsettled(err) {
			t.Errorf("%s: asked %v: %v", address, asked, err)
		}
	}
}
