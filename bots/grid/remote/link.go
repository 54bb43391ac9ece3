package remote

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Link is how a server is reached.
type Link struct {
	URL   string // nats://HOST:PORT or tls://HOST:PORT; several with commas between
	Token string
	CA    string // a file with the certificates to trust, "" for the system's

	// Patience is how long it is tried again where no server answers, and Waiting,
	// if any, is told why each time.
	Patience time.Duration
	Waiting  func(err error)
}

// DefaultURL is a server on this machine.
const DefaultURL = "nats://127.0.0.1:4222"

// HintError is an error that a user can do something about.
type HintError struct {
	error
	hint string
}

// Hint says what.
func (a HintError) Hint() string  { return a.hint }
func (a HintError) Unwrap() error { return a.error }

func hintf(hint, format string, args ...any) error {
	return HintError{fmt.Errorf(format, args...), hint}
}

// check refuses what is not safe: off this machine there are a token and TLS.
func (l Link) check() error {
	for text := range strings.SplitSeq(l.URL, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		if err != nil || u.Host == "" {
			return hintf("a server is named as in "+DefaultURL+" or tls://host:4222", "%q is no address of a server", text)
		}
		if isLoopback(u.Hostname()) {
			continue
		}
		safe := u.Scheme == "tls" || u.Scheme == "wss" || l.CA != ""
		if !safe || l.Token == "" && u.User == nil {
			return hintf("name the server as tls://"+u.Host+" and give a token; gamebots grid keys makes both", "%s is another machine, where a token and TLS are needed", u.Host)
		}
	}
	return nil
}

// isLoopback says whether a host is this machine for sure, without asking a name
// server.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// options are those of every connection.
func (l Link) options(name string) []nats.Option {
	options := []nats.Option{
		nats.Name(name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(300*time.Millisecond, 500*time.Millisecond),
		nats.PingInterval(10 * time.Second),
		nats.Timeout(5 * time.Second),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // they come back where they matter
	}
	if l.Token != "" {
		options = append(options, nats.Token(l.Token))
	}
	if l.CA != "" {
		options = append(options, nats.RootCAs(l.CA))
	}
	return options
}

// Connect connects to a server. The connection comes back by itself when it is
// lost; who is done closes it.
func (l Link) Connect(ctx context.Context, name string) (*nats.Conn, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	if l.CA != "" {
		if _, err := os.Stat(l.CA); err != nil {
			return nil, err
		}
	}
	for give := time.Now().Add(l.Patience); ; {
		c, err := nats.Connect(l.URL, l.options(name)...)
		if err == nil {
			return c, nil
		}
		err = l.explain(err)
		if errors.As(err, new(HintError)) || !time.Now().Before(give) {
			return nil, err
		}
		if l.Waiting != nil {
			l.Waiting(err)
		}
		sleep(ctx, time.Second/2)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// explain adds what a user can do. What waiting may mend is not Advised.
func (l Link) explain(err error) error {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return hintf("the token is that of the server, see gamebots grid keys", "the server at %s: the token is missing or wrong", l.URL)
	case errors.As(err, &authority):
		return hintf("its certificate, or who signed it, is what --tls-ca or --nats-keys names", "the server at %s: %w", l.URL, err)
	case errors.As(err, &host):
		return hintf("gamebots grid keys --host makes a certificate for other names", "the server at %s: %w", l.URL, err)
	case errors.Is(err, nats.ErrSecureConnRequired):
		return hintf("name it as tls://…", "the server at %s wants TLS", l.URL)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return hintf("start it with a certificate; gamebots grid keys makes one", "the server at %s has no TLS", l.URL)
	}
	return fmt.Errorf("no server at %s: %w", l.URL, err)
}
