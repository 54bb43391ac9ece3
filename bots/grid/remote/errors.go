package remote

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
	Err     error
}

func (e *SetupError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *SetupError) Unwrap() error { return e.Err }

// setupErrorf returns a SetupError.
func setupErrorf(p Problem, format string, args ...any) error {
	return &SetupError{Problem: p, Err: fmt.Errorf(format, args...)}
}
