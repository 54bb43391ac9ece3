package remote

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"gamebots/internal/parallel"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/nats-io/nats.go"
)

// Link describes how to reach a server.
type Link struct {
	URL   string // nats://HOST:PORT or tls://HOST:PORT
	Token string
	CA    string // file with the certificates to trust; "" for those of the system

	// Patience is how long Connect tries again where no server answers. OnWait, if
	// not nil, is called with each failure.
	Patience time.Duration
	OnWait   func(err error)
}

// workerInbox is the prefix of the subjects on which workers receive answers. It is not that of owners, whose answers
// workers must not read.
const workerInbox = "_INBOX_WORKER"

// DefaultURL is a server on this machine.
const DefaultURL = "nats://127.0.0.1:4222"

// check refuses links to other machines without a token and TLS.
func (l Link) check() error {
	u, err := url.Parse(l.URL)
	switch {
	case err != nil || u.Host == "":
		return setupErrorf(BadAddress, "%q is not the address of a server", l.URL)
	case l.Local():
		return nil
	case u.Scheme != "tls" && u.Scheme != "wss" && l.CA == "", l.Token == "" && u.User == nil:
		return setupErrorf(UnprotectedLink, "%s is another machine, where a token and TLS are needed", u.Host)
	}
	return nil
}

// Local reports whether the server is on this machine.
func (l Link) Local() bool {
	u, err := url.Parse(l.URL)
	return err == nil && isLoopback(u.Hostname())
}

// isLoopback reports whether a host is certainly this machine. It asks no name
// server.
func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// options returns the options of every connection.
func (l Link) options(role Role) []nats.Option {
	options := []nats.Option{
		nats.Name(string(role)),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectJitter(300*time.Millisecond, 500*time.Millisecond),
		nats.PingInterval(10 * time.Second),
		nats.Timeout(5 * time.Second),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // calls return the errors that matter
	}
	if role == AsWorker {
		options = append(options, nats.CustomInboxPrefix(workerInbox))
	}
	if l.Token != "" {
		options = append(options, nats.Token(l.Token))
	}
	if l.CA != "" {
		options = append(options, nats.RootCAs(l.CA))
	}
	return options
}

// Connect connects to a server. A lost connection reconnects by itself. The caller
// closes it. Errors that waiting does not mend are a *SetupError.
func (l Link) Connect(ctx context.Context, role Role) (*nats.Conn, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	if l.CA != "" {
		if _, err := os.Stat(l.CA); err != nil {
			return nil, err
		}
	}
	for deadline := time.Now().Add(l.Patience); ; {
		c, err := nats.Connect(l.URL, l.options(role)...)
		if err == nil {
			return c, nil
		}
		err = l.explain(err)
		if errors.As(err, new(*SetupError)) || !time.Now().Before(deadline) {
			return nil, err
		}
		if l.OnWait != nil {
			l.OnWait(err)
		}
		if err := parallel.Wait(ctx, time.After(time.Second/2)); err != nil {
			return nil, err
		}
	}
}

// explain makes a SetupError of an error that waiting does not mend.
func (l Link) explain(err error) error {
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return setupErrorf(WrongToken, "the server at %s: the token is missing or wrong", l.URL)
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return setupErrorf(UnknownCertificate, "the server at %s: %w", l.URL, err)
	case errors.As(err, new(x509.HostnameError)):
		return setupErrorf(WrongHost, "the server at %s: %w", l.URL, err)
	case errors.Is(err, nats.ErrSecureConnRequired):
		return setupErrorf(TLSRequired, "the server at %s wants TLS", l.URL)
	case errors.Is(err, nats.ErrSecureConnWanted):
		return setupErrorf(TLSUnavailable, "the server at %s has no TLS", l.URL)
	}
	return fmt.Errorf("no server at %s: %w", l.URL, err)
}
