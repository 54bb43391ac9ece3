package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gamebots/cmd/internal/cli/clitest"
	"gamebots/hexproto/wire"
	"gamebots/internal/testkit"

	"github.com/gorilla/websocket"
)

// hosting returns the configuration in a language that docs/hosting.md shows.
func hosting(t *testing.T, language string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), "\n```"+language+"\n")
	block, _, closed := strings.Cut(after, "\n```\n")
	if !ok || !closed {
		t.Fatalf("there is no %s in docs/hosting.md", language)
	}
	return block
}

// replaced returns a text with each of the pairs of old and new replaced, of which it
// must have the old.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("there is no %q in %s", pairs[i], text)
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// proxy is a proxy with TLS before a server.
type proxy struct {
	url, upstream string // addresses of the proxy and of the server
	port, cert    string
	roots         *x509.CertPool
}

// startProxy starts a proxy with the configuration of docs/hosting.md. Rewritten has it
// change the Host of requests to the server's address.
func startProxy(t *testing.T, kind string, rewritten bool) *proxy {
	t.Helper()
	program, err := exec.LookPath(kind)
	if err != nil {
		t.Skipf("%s is not installed: .ci/run does that", kind)
	}
	dir := t.TempDir()
	p := &proxy{
		port: testkit.FreePort(t), upstream: "127.0.0.1:" + testkit.FreePort(t), cert: filepath.Join(dir, "tls.crt"),
	}
	p.url = "https://localhost:" + p.port
	key := filepath.Join(dir, "tls.key")
	writeCertificate(t, p.cert, key)
	text, err := os.ReadFile(p.cert)
	if p.roots = x509.NewCertPool(); err != nil || !p.roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	cmd := p.command(t, program, dir, key, rewritten)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = cmd.Process.Kill(), cmd.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := p.get(t, "/", ""); err == nil { // a bad gateway, so far
			return p
		} else if time.Now().After(deadline) {
			t.Fatalf("%s does not serve: %v", kind, err)
		}
	}
}

// command writes the configuration of a proxy and returns its command.
func (p *proxy) command(t *testing.T, program, dir, key string, rewritten bool) *exec.Cmd {
	t.Helper()
	config := filepath.Join(dir, "proxy.conf")
	write := func(text string) {
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if filepath.Base(program) == "caddy" {
		text := replaced(t, hosting(t, "caddyfile"), "127.0.0.1:8080", p.upstream, "games.example.org {\n",
			"localhost:"+p.port+" {\n\ttls "+p.cert+" "+key+"\n")
		if rewritten {
			text = replaced(t, text, p.upstream, p.upstream+" {\n\t\theader_up Host {upstream_hostport}\n\t}")
		}
		write("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text)
		cmd := exec.Command(program, "run", "--adapter", "caddyfile", "--config", config)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		return cmd
	}
	text := replaced(t, hosting(t, "nginx"), "127.0.0.1:8080", p.upstream, "listen 443 ssl;",
		"listen 127.0.0.1:"+p.port+" ssl;", "listen [::]:443 ssl;", "",
		"listen 80;", "listen 127.0.0.1:"+testkit.FreePort(t)+";", "listen [::]:80;", "",
		"/etc/letsencrypt/live/games.example.org/fullchain.pem", p.cert,
		"/etc/letsencrypt/live/games.example.org/privkey.pem", key, "games.example.org", "localhost")
	if rewritten { // nginx does by itself
		text = replaced(t, text, "proxy_set_header Host $host;", "")
	}
	temporary := ""
	for _, of := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary += of + "_temp_path " + filepath.Join(dir, of) + ";\n"
	}
	write("daemon off; master_process off; pid " + filepath.Join(dir, "pid") +
		"; error_log stderr;\nevents {}\nhttp {\naccess_log off;\n" + temporary + text + "\n}\n")
	return exec.Command(program, "-p", dir, "-e", "stderr", "-c", config)
}

// startServe starts a server.
func startServe(t *testing.T, args ...string) {
	t.Helper()
	serve := commandOf(t, append([]string{"serve", "--log-level", "warn"}, args...)...)
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	serve.Stderr = t.Output()
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = serve.Process.Kill(), serve.Wait() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil { // its address
		t.Fatal(err)
	}
}

func (p *proxy) tls() *tls.Config { return &tls.Config{RootCAs: p.roots} }

// get asks for a page through the proxy. The body has been read.
func (p *proxy) get(t *testing.T, path, token string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", p.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	transport := &http.Transport{TLSClientConfig: p.tls(), DisableKeepAlives: true}
	resp, err := transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, err
}

// tokenOf makes an account.
func tokenOf(t *testing.T, name, database string) string {
	t.Helper()
	token, err := commandOf(t, "serve", "token", name, "--database", database).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(token))
}

// A server is whole behind the proxies of docs/hosting.md: its page, its records and
// its websocket, for people and bots with tokens, and for nobody else.
func TestProxy(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		rewritten  bool
	}{
		{"nginx", "nginx", false}, {"nginx that rewrites Host", "nginx", true},
		{"caddy", "caddy", false}, {"caddy that rewrites Host", "caddy", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := startProxy(t, c.kind, c.rewritten)
			database := filepath.Join(t.TempDir(), "games.db")
			startServe(t, "--listen", p.upstream, "--public-url", p.url, "--database", database)
			token := tokenOf(t, "ada", database)
			for _, c := range []struct {
				path, token string
				status      int
				has         string
			}{
				{"/", "", 200, "<title>"}, {"/records/", "", 401, "a token is needed"}, {"/records/", "gb_0", 401, ""},
				{"/records/", token, 200, "["},
			} {
				resp, err := p.get(t, c.path, c.token)
				if err != nil {
					t.Fatal(err)
				}
				body, _ := io.ReadAll(resp.Body)
				if resp.StatusCode != c.status || !strings.Contains(string(body), c.has) {
					t.Errorf("%s with the token %q: %s: %.200s", c.path, c.token, resp.Status, body)
				}
				if hsts := resp.Header["Strict-Transport-Security"]; !slices.Equal(hsts, []string{"max-age=31536000"}) {
					t.Errorf("%s: Strict-Transport-Security is %q", c.path, hsts)
				}
			}
			for origin, admitted := range map[string]bool{p.url: true, "": true, "https://games.example.com": false,
				"http://localhost:" + p.port: false} {
				p.greet(t, origin, "", admitted)
				p.greet(t, origin, token, admitted)
			}
			r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+p.upstream+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = "games.example.com"
			if resp, err := http.DefaultTransport.RoundTrip(r); err != nil || resp.StatusCode != http.StatusForbidden {
				t.Errorf("for another host: %v, %v", resp.Status, err)
			} else {
				resp.Body.Close()
			}
			file := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			play := commandOf(t, "play", "hex", p.url, "--bot", "random", "--token-file", file, "--set",
				"challenge.enabled=true",
				"--set", "challenge.games=1", "--set", `challenge.opponents=["random"]`, "--set",
				`challenge.options={"side":4}`, "--set", "challenge.tag=t")
			play.Env = append(os.Environ(), "SSL_CERT_FILE="+p.cert)
			if text, err := play.CombinedOutput(); err != nil || !strings.Contains(string(text), "1 game: ") {
				t.Errorf("a bot plays: %v: %s", err, text)
			}
		})
	}
}

// greet says hello on a websocket that a page of an origin opens. Admitted says
// whether it may open one; without a token it is sent away.
func (p *proxy) greet(t *testing.T, origin, token string, admitted bool) {
	t.Helper()
	header := http.Header{}
	if origin != "" {
		header.Set("Origin", origin)
	}
	dialer := websocket.Dialer{TLSClientConfig: p.tls()}
	ws, resp, err := dialer.DialContext(t.Context(), "wss"+strings.TrimPrefix(p.url, "https")+"/ws", header)
	if !admitted {
		if err == nil || resp == nil || resp.StatusCode != http.StatusForbidden {
			t.Errorf("a page of %q opens a websocket: %v", origin, err)
		}
		return
	}
	if err != nil {
		t.Errorf("a page of %q: %v", origin, err)
		return
	}
	defer ws.Close()
	frame, err := wire.Encode(1, &wire.Hello{Version: wire.Version, Name: "eve", Token: token})
	if err != nil {
		t.Fatal(err)
	}
	if err := ws.WriteMessage(websocket.TextMessage, frame); err != nil {
		t.Fatal(err)
	}
	if _, frame, err = ws.ReadMessage(); err != nil {
		t.Fatal(err)
	}
	_, m, err := wire.FromServer.Decode(frame)
	if _, welcome := m.(*wire.Welcome); err != nil || welcome != (token != "") {
		t.Errorf("a page of %q with the token %q is told %s, %v", origin, token, frame, err)
	}
}

// Every command line of docs/hosting.md is one of this program.
func TestHostingCommands(t *testing.T) {
	text, err := os.ReadFile("../../docs/hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile("gamebots ((?:serve|play) [^`\n|]*)").FindAllStringSubmatch(string(text), -1)
	if len(lines) < 8 {
		t.Fatalf("%d command lines", len(lines))
	}
	for _, line := range lines {
		line := strings.TrimRight(line[1], " .;,")
		if err := clitest.Accepts(newRoot(), line); err != nil {
			t.Errorf("gamebots %s: %v", line, err)
		}
	}
}
