package remote

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerConfig configures a server in this process.
type ServerConfig struct {
	Listen    string // HOST:PORT; port 0 takes a free one
	Tokens    Tokens // required of clients; on loopback one that is "" is drawn at random
	Cert, Key string // files for TLS; may be "" on loopback
	Store     string // folder that keeps jobs over a restart, "" for none
}

// Server is a NATS server in this process.
type Server struct {
	config ServerConfig
	server *server.Server
	temp   string // a folder to remove, or ""
}

// startTimeout limits the start of the server. It takes 20 ms, but more with a large
// store.
const startTimeout = 30 * time.Second

// Serve starts a server. A bad configuration is a *SetupError.
func Serve(c ServerConfig) (*Server, error) {
	host, portText, err := net.SplitHostPort(c.Listen)
	port, portErr := strconv.ParseUint(portText, 10, 16)
	if err != nil || portErr != nil {
		return nil, setupErrorf(BadListenAddress, "%q is not an address to listen at", c.Listen)
	}
	if !isLoopback(host) && (c.Tokens.Owner == "" || c.Tokens.Worker == "" || c.Cert == "" || c.Key == "") {
		return nil, setupErrorf(UnprotectedServer,
			"%s is open to other machines, where tokens and TLS are needed", c.Listen)
	}
	c.Tokens = Tokens{cmp.Or(c.Tokens.Owner, rand.Text()), cmp.Or(c.Tokens.Worker, rand.Text())}
	o := &server.Options{
		ServerName: "gamebots", Host: host, Port: int(port),
		CustomClientAuthentication: guard{c.Tokens},
		JetStream:                  true, StoreDir: c.Store,
		NoSigs: true, NoLog: true, NoSystemAccount: true,
		JetStreamLimits:        server.JSLimitOpts{DefaultMaxConsumers: maxReaders},
		DisableJetStreamBanner: true,
		WriteDeadline:          10 * time.Second, // for a client that does not read
	}
	if port == 0 {
		o.Port = server.RANDOM_PORT
	}
	if c.Cert != "" {
		pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
		if err != nil {
			return nil, fmt.Errorf("the certificate of the server: %w", err)
		}
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}
		o.TLSTimeout = 5
	}
	s := &Server{config: c}
	// The library only logs that the port is in use, so it is tried first. If another
	// program takes it in between, Serve times out.
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, setupErrorf(AddressInUse, "%w", err)
	}
	l.Close()
	if o.StoreDir == "" {
		if s.temp, err = os.MkdirTemp("", "gamebots-grid-"); err != nil {
			return nil, err
		}
		o.StoreDir = s.temp
	}
	if s.server, err = server.NewServer(o); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.temp))
	}
	s.server.Start()
	if !s.server.ReadyForConnections(startTimeout) {
		_ = s.Close()
		return nil, fmt.Errorf("the server at %s did not start within %v", c.Listen, startTimeout)
	}
	return s, nil
}

// URL returns the address for workers.
func (s *Server) URL() string {
	scheme := "nats://"
	if s.config.Cert != "" {
		scheme = "tls://"
	}
	return scheme + s.server.Addr().String()
}

// Tokens returns the tokens that the server requires.
func (s *Server) Tokens() Tokens { return s.config.Tokens }

// Connect connects from within this process.
func (s *Server) Connect(role Role) (*nats.Conn, error) {
	l := Link{Token: s.config.Tokens.Of(role)}
	return nats.Connect("", append(l.options(role), nats.InProcessServer(s.server))...)
}

// Close ends the server.
func (s *Server) Close() error {
	s.server.Shutdown()
	s.server.WaitForShutdown()
	return os.RemoveAll(s.temp)
}
