package certificate

import (
	"crypto/tls"
	"os"
	"sync"
	"time"
)

// Files are the files of a certificate and its key. Any goroutine may use them.
type Files struct {
	cert, key string
	onChange  func(error)

	mu      sync.Mutex
	current *tls.Certificate
	read    [2]version // versions of the files when they were read
}

// version differs between versions of a file.
type version struct {
	changed time.Time
	size    int64
}

// Open reads a certificate and its key. It calls onChange when changed files were read,
// with the reason if they are of no use.
func Open(cert, key string, onChange func(error)) (*Files, error) {
	f := &Files{cert: cert, key: key, onChange: onChange}
	versions, err := f.versions()
	if err != nil {
		return nil, err
	}
	return f, f.load(versions)
}

// load reads certain versions of the files, or later ones.
func (f *Files) load(versions [2]version) error {
	f.read = versions // once, even if they are of no use
	loaded, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err == nil {
		f.current = &loaded
	}
	return err
}

// versions returns the versions that the files have now.
func (f *Files) versions() (versions [2]version, err error) {
	for i, file := range []string{f.cert, f.key} {
		info, err := os.Stat(file)
		if err != nil {
			return versions, err
		}
		versions[i] = version{info.ModTime(), info.Size()}
	}
	return versions, nil
}

// Get is the GetCertificate of a tls.Config. While the files are of no use, for example
// because only one of the two is new, it goes on with the certificate that it has.
func (f *Files) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if versions, err := f.versions(); err == nil && versions != f.read {
		f.onChange(f.load(versions))
	}
	return f.current, nil
}
