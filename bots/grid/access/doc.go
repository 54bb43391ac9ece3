// Package access has the servers that spread work, who may use them, and the connections to them.
//
// A server admits clients with one of two [Tokens]. Owners may use all its subjects, workers those of
// [ServerConfig.Worker]. [MakeKeys] draws the tokens, and makes the certificates without which no server listens for
// other machines, and no [Link] goes there.
package access
