package server

import (
	"crypto/tls"
	"os"
	"sync"
	"time"
)

// certificateFiles are the files of the server's certificate and its key. They are read again when they change, since
// certificates are renewed every few weeks. Any goroutine may use them.
type certificateFiles struct {
	cert, key string
	onChange  func(error)

	mu      sync.Mutex
	current *tls.Certificate
	read    [2]fileVersion // versions of the files when they were read
}

// fileVersion differs between versions of a file.
type fileVersion struct {
	changed time.Time
	size    int64
}

// openCertificate reads a certificate and its key. It calls onChange when changed files were read,
// with the reason if they are of no use.
func openCertificate(cert, key string, onChange func(error)) (*certificateFiles, error) {
	f := &certificateFiles{cert: cert, key: key, onChange: onChange}
	versions, err := f.versions()
	if err != nil {
		return nil, err
	}
	return f, f.load(versions)
}

// load reads certain versions of the files, or later ones.
func (f *certificateFiles) load(versions [2]fileVersion) error {
	f.read = versions // once, even if they are of no use
	loaded, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err == nil {
		f.current = &loaded
	}
	return err
}

// versions returns the versions that the files have now.
func (f *certificateFiles) versions() (versions [2]fileVersion, err error) {
	for i, file := range []string{f.cert, f.key} {
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
func (f *certificateFiles) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if versions, err := f.versions(); err == nil && versions != f.read {
		f.onChange(f.load(versions))
	}
	return f.current, nil
}
