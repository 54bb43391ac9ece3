package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gamebots/internal/testkit"
)

// commandOf is a command of this program. Ends when the test does.
func commandOf(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = append([]string{"gamebots"}, args...)
	return cmd
}

// A server that listens elsewhere wants tokens, and has TLS by files. A bot plays
// there, and its owner downloads the records; no other client does.
func TestServeElsewhere(t *testing.T) {
	dir := t.TempDir()
	cert, key, database := filepath.Join(dir, "server.crt"), filepath.Join(dir,
		"server.key"), filepath.Join(dir, "games.db")
	writeCertificate(t, cert, key)
	serve := commandOf(t, "serve", "--listen", "0.0.0.0:0", "--cert", cert, "--key", key, "--database",
		database, "--log-level", "error")
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	serve.Stderr = &said
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = serve.Process.Kill(), serve.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, said.String())
	}
	port := regexp.MustCompile(`^https://\S+:(\d+)\n$`).FindStringSubmatch(line)
	if port == nil {
		t.Fatalf("it serves at %q", line)
	}
	address := "https://127.0.0.1:" + port[1]

	play := func(more ...string) (string, error) {
		cmd := commandOf(t, append([]string{
			"play", "hex", address, "--bot", "random", "--token-file", filepath.Join(dir, "token"), "--set",
			"challenge.enabled=true",
			"--set", "challenge.games=1", "--set", `challenge.opponents=["random"]`, "--set",
			`challenge.options={"side":4}`, "--set", "challenge.tag=t",
		}, more...)...)
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+cert)
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	if text, err := play("--name", "eve"); err == nil || !strings.Contains(text, "a token is needed") ||
		!strings.Contains(text, "hint: whoever runs the server gives you one by gamebots serve token NAME --bot") {
		t.Errorf("without a token: %v: %s", err, text)
	}
	token, err := commandOf(t, "serve", "token", "ada", "--bot", "--database", database).Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "token"), token, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := play(); err != nil || !strings.Contains(text, "\n1 game: ") {
		t.Errorf("with a token: %v: %s", err, text)
	}
	if err := os.WriteFile(filepath.Join(dir, "wrong"), []byte("gb_0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := play("--token-file", filepath.Join(dir, "wrong")); err == nil ||
		!strings.Contains(text, "the token is of no account") {
		t.Errorf("with a wrong token: %v: %s", err, text)
	}

	roots := x509.NewCertPool()
	text, err := os.ReadFile(cert)
	if err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig.RootCAs = roots
	defer transport.CloseIdleConnections()
	for _, c := range []struct {
		token string
		want  int
	}{{"", 401}, {"gb_0", 401}, {strings.TrimSpace(string(token)), 200}} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", address+"/records/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+c.token)
		resp, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.want ||
			(c.want == 200) != strings.Contains(string(body), `"name":"ada"`) {
			t.Errorf("records with the token %q: %s, %v: %s", c.token, resp.Status, err, body)
		}
	}
}

// A certificate that is renewed is used without a restart. While its key is still the old
// one, the old certificate is.
func TestCertificateIsRenewed(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "server.crt"), filepath.Join(dir, "server.key")
	writeCertificate(t, cert, key)
	address := "127.0.0.1:" + testkit.FreePort(t)
	startServe(t, "--listen", address, "--cert", cert, "--key", key, "--database",
		filepath.Join(dir, "games.db"), "--log-level", "fatal")
	served := func() string {
		t.Helper()
		c, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true}) // the test looks at it
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return string(c.ConnectionState().PeerCertificates[0].Raw)
	}
	old := served()
	renewed, renewedKey := filepath.Join(dir, "new.crt"), filepath.Join(dir, "new.key")
	writeCertificate(t, renewed, renewedKey)
	if err := os.Rename(renewed, cert); err != nil {
		t.Fatal(err)
	}
	if served() != old {
		t.Error("half of a renewed certificate is used")
	}
	if err := os.Rename(renewedKey, key); err != nil {
		t.Fatal(err)
	}
	if served() == old {
		t.Error("a renewed certificate is not used")
	}
	if err := os.Remove(cert); err != nil {
		t.Fatal(err)
	}
	if served() == old {
		t.Error("without its file the certificate is forgotten")
	}
}

// writeCertificate makes a certificate of 127.0.0.1 and localhost.
func writeCertificate(t *testing.T, cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}, IsCA: true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
