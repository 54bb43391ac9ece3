package sites

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The limits of requests that sites make. Those of a site are small and come at once; others may be anybody's.
const (
	requestTime    = 10 * time.Second
	maxHeader      = 1 << 13
	maxBody        = 1 << 16
	maxConnections = 256
)

// Webhook answers a site that calls its bots, at whatever path their owner has registered. A GET is a ping, /healthz is
// for the owner, and a POST is a request that the site has signed.
type Webhook struct {
	Ping any // the answer to a ping
	Key  ed25519.PublicKey
	// Take takes a request, and returns the status and the text of the answer. It refuses a nonce that has been used.
	Take func(Signed) (status int, text string)
	Log  *slog.Logger

	warnings rate.Sometimes
}

// Serve answers requests until the context ends. A slow request is broken off. Of more than 256 connections the oldest
// are closed: those of the site are short.
func (h *Webhook) Serve(ctx context.Context, l net.Listener) error {
	h.warnings.Interval = time.Minute
	var open connections
	server := http.Server{
		Handler: h, ReadTimeout: requestTime, WriteTimeout: 2 * requestTime, IdleTimeout: requestTime,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(h.Log.Handler(), slog.LevelDebug), ConnState: open.note,
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}

// connections are those that are open, the oldest first.
type connections struct {
	mu   sync.Mutex
	open []net.Conn
}

// note notes a connection that is opened or closed.
func (l *connections) note(c net.Conn, s http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch s {
	case http.StateClosed:
		l.open = slices.DeleteFunc(l.open, func(o net.Conn) bool { return o == c })
	case http.StateNew:
		if l.open = append(l.open, c); len(l.open) > maxConnections {
			l.open[0].Close()
			l.open = slices.Delete(l.open, 0, 1)
		}
	}
}

// ServeHTTP answers the site, and whoever else sends requests.
func (h *Webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && r.URL.Path == "/healthz":
		fmt.Fprintln(w, "ok")
	case r.Method == http.MethodGet:
		respond(w, http.StatusOK, h.Ping)
	case r.Method == http.MethodPost:
		status, text := 0, ""
		s, err := readSigned(w, r, h.Key)
		if refusal, ok := errors.AsType[*RefusedError](err); ok {
			status, text = refusal.Status, refusal.Msg
		} else {
			status, text = h.Take(s)
		}
		if status == http.StatusUnauthorized || err != nil {
			h.warnings.Do(func() { // anybody may send requests: one a minute is enough to see what is wrong
				h.Log.Warn("request refused", "status", status, "reason", text, "from", r.RemoteAddr)
			})
		}
		respond(w, status, map[string]string{"message": text})
	default:
		w.Header().Set("Allow", "GET, POST")
		respond(w, http.StatusMethodNotAllowed, map[string]string{"message": "GET is a ping, POST a request"})
	}
}

func respond(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // the other side may have left
}

const (
	maxAge    = 5 * time.Minute // how far the time of a signature may be from now
	maxNonce  = 128             // bytes
	maxNonces = 10_000
)

// Signed is a request that its site has signed by Ed25519: X-Signature is in base64, over "timestamp.nonce.body", with
// the time in seconds in X-Signature-Timestamp and a text that comes once in X-Signature-Nonce.
type Signed struct {
	Body  []byte
	nonce string
	at    time.Time
}

// readSigned reads a request. The error is a [RefusedError].
func readSigned(w http.ResponseWriter, r *http.Request, key ed25519.PublicKey) (s Signed, err error) {
	timestamp := r.Header.Get("X-Signature-Timestamp")
	s.nonce = r.Header.Get("X-Signature-Nonce")
	signature, notText := base64.StdEncoding.DecodeString(r.Header.Get("X-Signature"))
	seconds, notNumber := strconv.ParseInt(timestamp, 10, 64)
	s.at = time.Unix(seconds, 0)
	switch {
	case errors.Join(notText, notNumber) != nil || len(signature) == 0 || s.nonce == "" || len(s.nonce) > maxNonce:
		return s, &RefusedError{http.StatusUnauthorized, "there is no signature: X-Signature, -Timestamp and -Nonce"}
	case time.Since(s.at).Abs() > maxAge:
		return s, &RefusedError{http.StatusUnauthorized, fmt.Sprintf("the signature is not of the last %v", maxAge)}
	}
	s.Body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return s, &RefusedError{http.StatusRequestEntityTooLarge,
			fmt.Sprintf("the body has more than %d bytes", maxBody)}
	case err != nil:
		return s, &RefusedError{http.StatusRequestTimeout, "the body did not come"}
	case !ed25519.Verify(key, append([]byte(timestamp+"."+s.nonce+"."), s.Body...), signature):
		return s, &RefusedError{http.StatusUnauthorized, "the signature is not by the key of the site"}
	}
	return s, nil
}

// Nonces are those of signed requests that came, with their times, as long as the requests could come again.
type Nonces map[string]time.Time

// Use uses the nonce of a request. If that has been used, it returns the status and the text of the answer.
func (n Nonces) Use(s Signed) (status int, text string) {
	maps.DeleteFunc(n, func(_ string, at time.Time) bool { return time.Since(at) > maxAge })
	if _, used := n[s.nonce]; used {
		return http.StatusUnauthorized, "the nonce has been used"
	}
	if len(n) >= maxNonces {
		return http.StatusTooManyRequests, fmt.Sprintf("more than %d requests in %v", maxNonces, maxAge)
	}
	n[s.nonce] = s.at
	return 0, ""
}

// keyHead is what SSH writes before the bytes of a public key for Ed25519.
const keyHead = "\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"

// ParsePublicKey reads a public key for Ed25519 as SSH writes it: a line that begins with ssh-ed25519, or a block
// between lines of dashes.
func ParsePublicKey(text string) (ed25519.PublicKey, error) {
	encoded := ""
	for line := range strings.Lines(text) {
		switch words := strings.Fields(line); {
		case len(words) > 1 && words[0] == "ssh-ed25519":
			encoded += words[1]
		case len(words) == 1 && !strings.HasPrefix(line, "----"):
			encoded += words[0]
		}
	}
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	key, ok := strings.CutPrefix(string(decoded), keyHead)
	if err != nil || !ok || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("it is not a public key for Ed25519 as SSH writes it")
	}
	return ed25519.PublicKey(key), nil
}
