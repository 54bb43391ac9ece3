package remote

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gamebots/configs"
)

// Keys are the files of a folder that make a grid safe: a certificate of the
// server with its key, the authority that signed it, and a token. Workers need
// CA and Token only.
type Keys struct{ CA, Cert, Key, Token string }

// KeysIn names the files of a folder.
func KeysIn(dir string) Keys {
	return Keys{filepath.Join(dir, "ca.pem"), filepath.Join(dir, "server.pem"), filepath.Join(dir, "server.key"), filepath.Join(dir, "token")}
}

// maxToken is more bytes than any token takes.
const maxToken = 1 << 12

// ReadToken returns the token of a folder's file.
func (k Keys) ReadToken() (string, error) {
	text, err := configs.ReadFileAtMost(k.Token, maxToken)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", fmt.Errorf("%s: no token is in it", k.Token)
	}
	return token, nil
}

// keysFor is how long certificates are good.
const keysFor = 2 * 365 * 24 * time.Hour

// MakeKeys makes the files of a folder for a server that is reached by some
// names and addresses; this machine always may. The authority's key is not kept:
// nobody can make more certificates that workers trust. Files that are there are
// not replaced.
func MakeKeys(dir string, hosts []string) (Keys, error) {
	k := KeysIn(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return k, err
	}
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return k, err
	}
	serverKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return k, err
	}
	from := time.Now().Add(-time.Hour) // the clocks of workers may be slow
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "gamebots grid"},
		NotBefore: from, NotAfter: from.Add(keysFor),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "gamebots grid server"},
		NotBefore: from, NotAfter: from.Add(keysFor),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			server.IPAddresses = append(server.IPAddresses, ip)
		} else {
			server.DNSNames = append(server.DNSNames, host)
		}
	}
	authorityDER, err := x509.CreateCertificate(rand.Reader, authority, authority, &authorityKey.PublicKey, authorityKey)
	if err != nil {
		return k, err
	}
	serverDER, err := x509.CreateCertificate(rand.Reader, server, authority, &serverKey.PublicKey, authorityKey)
	if err != nil {
		return k, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(serverKey)
	if err != nil {
		return k, err
	}
	for _, f := range []struct {
		name string
		mode os.FileMode
		text []byte
	}{
		{k.CA, 0o644, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authorityDER})},
		{k.Cert, 0o644, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: serverDER})},
		{k.Key, 0o600, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})},
		{k.Token, 0o600, []byte(rand.Text() + "\n")},
	} {
		if err := writeNew(f.name, f.mode, f.text); err != nil {
			return k, err
		}
	}
	return k, nil
}

func writeNew(name string, mode os.FileMode, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
