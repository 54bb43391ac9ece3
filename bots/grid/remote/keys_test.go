package remote

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A token is that which is given, else the role's in the folder of keys, else on this machine the user's.
func TestGiven(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, home)
	}
	folder := filepath.Join(t.TempDir(), "keys")
	keys, err := MakeKeys(folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := keys.Tokens()
	if err != nil {
		t.Fatal(err)
	}
	const far = "tls://big.example.org:4222"
	for _, test := range []struct {
		given     Given
		url       string
		role      Role
		token, ca string
	}{
		{Given{Token: "given", Keys: folder}, far, AsOwner, "given", keys.CA},
		{Given{Keys: folder}, far, AsOwner, tokens.Owner, keys.CA},
		{Given{Keys: folder}, far, AsWorker, tokens.Worker, keys.CA},
		{Given{}, far, AsWorker, "", ""},
	} {
		l, err := test.given.Link(test.url, test.role)
		if err != nil || l.URL != test.url || l.Token != test.token || l.CA != test.ca {
			t.Errorf("%+v: %+v, %v", test, l, err)
		}
	}
	here, err := Given{}.Server("127.0.0.1:0", "store")
	if err != nil || here.Tokens.Owner == "" || here.Cert != "" || here.Store != "store" {
		t.Errorf("%+v, %v", here, err)
	}
	if l, err := (Given{}).Link(DefaultURL, AsWorker); err != nil || l.Token != here.Tokens.Worker {
		t.Errorf("%+v, %v, want the token of %+v", l, err, here)
	}
	c, err := Given{Keys: folder, Token: "given"}.Server(":4222", "")
	if err != nil || c.Cert != keys.Cert || c.Key != keys.Key || c.Tokens != (Tokens{tokens.Owner, "given"}) {
		t.Errorf("%+v, %v", c, err)
	}

	// What workers have of the keys is not enough for an owner and for a server.
	if err := os.Remove(keys.Owner); err != nil {
		t.Fatal(err)
	}
	problem := func(err error) Problem {
		if e, ok := errors.AsType[*SetupError](err); ok {
			return e.Problem
		}
		return -1
	}
	if _, err := (Given{Keys: folder}).Link(far, AsOwner); problem(err) != MissingOwnerToken {
		t.Errorf("an owner: %v", err)
	}
	if _, err := (Given{Keys: folder}).Server("", ""); problem(err) != MissingKeys {
		t.Errorf("a server: %v", err)
	}
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(home, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Given{}).Link(DefaultURL, AsOwner); problem(err) != NoUserTokens {
		t.Errorf("without a folder of the user: %v", err)
	}
}
