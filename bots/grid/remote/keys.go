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

// Keys names the files that protect a grid: the server's certificate and its key, the
// authority that signed it, and a token. Workers need CA and Token only.
type Keys struct{ CA, Cert, Key, Token string }

// KeysIn returns the names of the files in a folder.
func KeysIn(dir string) Keys {
	return Keys{filepath.Join(dir, "ca.pem"), filepath.Join(dir, "server.pem"), filepath.Join(dir, "server.key"), filepath.Join(dir, "token")}
}

// maxToken limits the size of a token file in bytes.
const maxToken = 1 << 12

// ReadToken reads the token.
func (k Keys) ReadToken() (string, error) {
	text, err := configs.ReadFileAtMost(k.Token, maxToken)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", fmt.Errorf("%s: has no token", k.Token)
	}
	return token, nil
}

// validity is the lifetime of certificates.
const validity = 2 * 365 * 24 * time.Hour

// MakeKeys creates the files in a folder, for a server with these names and addresses
// besides those of this machine. The authority's key is not kept, so that no other
// certificate will be trusted. Existing files are not replaced.
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
	from := time.Now().Add(-time.Hour) // workers' clocks may be slow
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "gamebots grid"},
		NotBefore: from, NotAfter: from.Add(validity),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "gamebots grid server"},
		NotBefore: from, NotAfter: from.Add(validity),
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
