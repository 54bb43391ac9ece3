package server

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificate is the certificate of a server. It is read again when its files change,
// since certificates are renewed every few weeks.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	read    [2]fileVersion // of the files when they were read
}

// fileVersion differs between versions of a file.
type fileVersion struct {
	changed time.Time
	size    int64
}

// loadCertificate reads a certificate.
func loadCertificate(certFile, keyFile string, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, log: log}
	versions, err := c.versions()
	if err != nil {
		return nil, err
	}
	return c, c.load(versions)
}

// load reads certain versions of the files, or later ones.
func (c *certificate) load(versions [2]fileVersion) error {
	c.read = versions // once, even if they are of no use
	loaded, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err == nil {
		c.current = &loaded
	}
	return err
}

// versions returns the versions that the files have now.
func (c *certificate) versions() (versions [2]fileVersion, err error) {
	for i, file := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(file)
		if err != nil {
			return versions, err
		}
		versions[i] = fileVersion{info.ModTime(), info.Size()}
	}
	return versions, nil
}

// get is the GetCertificate of a tls.Config. While the files are of no use, for example
// because only one of the two is new, it goes on with the certificate that it has.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if versions, err := c.versions(); err == nil && versions != c.read {
		if err := c.load(versions); err != nil {
			c.log.Error("the changed certificate cannot be used; the one before it stays", "error", err)
		} else {
			c.log.Info("read the changed certificate", "file", c.certFile)
		}
	}
	return c.current, nil
}
