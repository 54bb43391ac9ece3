package access

import "fmt"

// Problem is the kind of a SetupError.
type Problem int

// The kinds of a SetupError.
const (
	BadAddress         Problem = iota // a link's URL is not the address of a server
	BadListenAddress                  // a server's address is not HOST:PORT
	UnprotectedLink                   // a server on another machine, without token and TLS
	UnprotectedServer                 // a server for other machines, without token and TLS
	WrongToken                        // the token is missing or wrong
	WorkerToken                       // an owner has the token of workers
	UnknownCertificate                // the server's certificate is signed by an unknown authority
	WrongHost                         // the server's certificate is for other names
	TLSRequired                       // the server wants TLS
	TLSUnavailable                    // the server has no TLS
	AddressInUse                      // something else listens at the server's address
	RunInProgress                     // another owner has the run
	MissingOwnerToken                 // a folder of keys lacks the owner's token
	MissingKeys                       // a folder of keys lacks what a server needs
	NoUserTokens                      // the tokens of this user cannot be made
)

// SetupError is an error that trying again does not mend.
type SetupError struct {
	Problem Problem
	Addr    string // address of the server, if the problem concerns one server
	Err     error
}

func (e *SetupError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *SetupError) Unwrap() error { return e.Err }

// Hint returns advice, or "" where the remedy depends on the program.
func (e *SetupError) Hint() string {
	switch e.Problem {
	case BadAddress:
		return "a server is named as in " + DefaultURL + " or tls://host:4222"
	case UnprotectedLink:
		return "name the server as tls://" + e.Addr + " and give a token"
	case BadListenAddress:
		return "an address and a port are wanted, as in 127.0.0.1:4222"
	case TLSRequired:
		return "name it as tls://…"
	case RunInProgress:
		return "wait for its end, or give this run another name"
	}
	return ""
}

// Errorf returns a SetupError.
func Errorf(p Problem, format string, args ...any) error {
	return &SetupError{Problem: p, Err: fmt.Errorf(format, args...)}
}
