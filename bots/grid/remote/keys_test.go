package remote

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A token is that which is given, else the role's in the folder of keys, else on this machine the user's.
func TestAccess(t *testing.T) {
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
		access    Access
		url       string
		role      Role
		token, ca string
	}{
		{Access{Token: "given", Keys: folder}, far, AsOwner, "given", keys.CA},
		{Access{Token: "given", CA: "other.pem", Keys: folder}, far, AsWorker, "given", "other.pem"},
		{Access{Keys: folder}, far, AsOwner, tokens.Owner, keys.CA},
		{Access{Keys: folder}, far, AsWorker, tokens.Worker, keys.CA},
		{Access{}, far, AsWorker, "", ""},
	} {
		l, err := test.access.Link(test.url, test.role)
		if err != nil || l.URL != test.url || l.Token != test.token || l.CA != test.ca {
			t.Errorf("%+v: %+v, %v", test, l, err)
		}
	}
	here, err := Access{}.Server("127.0.0.1:0", "store")
	if err != nil || here.Tokens.Owner == "" || here.Cert != "" || here.Store != "store" {
		t.Errorf("%+v, %v", here, err)
	}
	if l, err := (Access{}).Link(DefaultURL, AsWorker); err != nil || l.Token != here.Tokens.Worker {
		t.Errorf("%+v, %v, want the token of %+v", l, err, here)
	}
	c, err := Access{Keys: folder, Token: "given"}.Server(":4222", "")
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
	if _, err := (Access{Keys: folder}).Link(far, AsOwner); problem(err) != MissingOwnerToken {
		t.Errorf("an owner: %v", err)
	}
	if _, err := (Access{Keys: folder}).Server("", ""); problem(err) != MissingKeys {
		t.Errorf("a server: %v", err)
	}
	if err := os.RemoveAll(home); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(home, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (Access{}).Link(DefaultURL, AsOwner); problem(err) != NoUserTokens {
		t.Errorf("without a folder of the user: %v", err)
	}
}
