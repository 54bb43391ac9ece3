package remote

import (
	"crypto/subtle"

	"github.com/nats-io/nats-server/v2/server"
)

// Role is what a connection is for.
type Role string

// The roles. An owner may use all subjects of the server, a worker only those of its
// permissions.
const (
	AsOwner  Role = "owner"
	AsWorker Role = "worker"
)

// Tokens are what a server requires of its clients, by their roles.
type Tokens struct{ Owner, Worker string }

// Of returns the token of a role.
func (t Tokens) Of(r Role) string {
	if r == AsOwner {
		return t.Owner
	}
	return t.Worker
}

// guard admits clients with one of the tokens.
type guard struct{ Tokens }

// Check admits a client with one of the tokens and gives it the permissions of its role.
// It implements server.Authentication.
func (t guard) Check(c server.ClientAuthentication) bool {
	token := []byte(c.GetOpts().Token)
	switch {
	case subtle.ConstantTimeCompare(token, []byte(t.Owner)) == 1:
		c.RegisterUser(&server.User{Username: string(AsOwner)})
	case subtle.ConstantTimeCompare(token, []byte(t.Worker)) == 1:
		c.RegisterUser(&server.User{Username: string(AsWorker), Permissions: workerPermissions()})
	default:
		return false
	}
	return true
}
