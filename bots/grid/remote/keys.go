package remote

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gamebots/configs"
)

// Keys names the files that protect a grid: the server's certificate and its key, the
// authority that signed it, and the tokens of owners and of workers. An owner needs CA and
// Owner, a worker CA and Worker.
type Keys struct{ CA, Cert, Key, Owner, Worker string }

// KeysIn returns the names of the files in a folder.
func KeysIn(dir string) Keys {
	in := func(name string) string { return filepath.Join(dir, name) }
	return Keys{
		CA: in("ca.pem"), Cert: in("server.pem"), Key: in("server.key"), Owner: in("owner.token"), Worker: in("token"),
	}
}

// maxToken limits the size of a token file in bytes.
const maxToken = 1 << 12

// Token reads the token of a role.
func (k Keys) Token(r Role) (string, error) {
	name := k.Worker
	if r == AsOwner {
		name = k.Owner
	}
	text, err := configs.ReadFileAtMost(name, maxToken)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", fmt.Errorf("%s: has no token", name)
	}
	return token, nil
}

// Tokens reads both tokens.
func (k Keys) Tokens() (Tokens, error) {
	owner, err := k.Token(AsOwner)
	if err != nil {
		return Tokens{}, err
	}
	worker, err := k.Token(AsWorker)
	return Tokens{owner, worker}, err
}

// LocalKeys returns the keys of this user's servers on loopback, which have tokens only.
func LocalKeys() (Keys, error) {
	dir, err := os.UserConfigDir()
	return KeysIn(filepath.Join(dir, "gamebots", "grid")), err
}

// MakeTokens creates the files of the tokens that are missing.
func (k Keys) MakeTokens() error {
	for _, name := range []string{k.Owner, k.Worker} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		// The file appears with its contents, and the first of several processes makes it.
		draft := name + "." + rand.Text()
		err := writeNew(draft, 0o600, []byte(rand.Text()+"\n"))
		if err == nil {
			err = os.Link(draft, name)
		}
		_ = os.Remove(draft)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
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
	serverKey, failed := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err := errors.Join(err, failed); err != nil {
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
	authorityDER, err := x509.CreateCertificate(rand.Reader, authority, authority,
		&authorityKey.PublicKey, authorityKey)
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
		{k.Owner, 0o600, []byte(rand.Text() + "\n")},
		{k.Worker, 0o600, []byte(rand.Text() + "\n")},
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
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// Given is what a program was given to connect to a server, or to protect its own.
type Given struct {
	Keys  string // folder of MakeKeys, or ""
	Token string // instead of that in the folder, or ""
}

// Link returns the connection to the server at an address. For a server on this machine the token is that of the user
// unless another is given.
func (g Given) Link(url string, role Role) (Link, error) {
	l := Link{URL: url, Token: g.Token}
	if g.Keys != "" {
		l.CA = KeysIn(g.Keys).CA
	}
	switch {
	case l.Token != "":
	case g.Keys != "":
		var err error
		l.Token, err = KeysIn(g.Keys).Token(role)
		if role == AsOwner && errors.Is(err, fs.ErrNotExist) {
			err = setupErrorf(MissingOwnerToken, "%w", err)
		}
		return l, err
	case l.Local():
		tokens, err := localTokens()
		l.Token = tokens.Of(role)
		return l, err
	}
	return l, nil
}

// Server returns the settings of a server of this program that listens at an address and keeps jobs in a folder. A
// given token is that of workers.
func (g Given) Server(listen, store string) (c ServerConfig, err error) {
	c = ServerConfig{Listen: listen, Store: store}
	if g.Keys == "" {
		c.Tokens, err = localTokens()
	} else {
		keys := KeysIn(g.Keys)
		c.Cert, c.Key = keys.Cert, keys.Key
		if c.Tokens, err = keys.Tokens(); errors.Is(err, fs.ErrNotExist) {
			err = setupErrorf(MissingKeys, "%w", err)
		}
	}
	c.Tokens.Worker = cmp.Or(g.Token, c.Tokens.Worker)
	return c, err
}

// localTokens returns the tokens of this user's servers on this machine. Whoever comes first, server, worker or owner,
// draws them.
func localTokens() (Tokens, error) {
	keys, err := LocalKeys()
	if err == nil {
		err = keys.MakeTokens()
	}
	if err != nil {
		return Tokens{}, setupErrorf(NoUserTokens, "the tokens of this user: %w", err)
	}
	return keys.Tokens()
}
