// Package certificate has the TLS certificate of a server. It is read again when its
// files change, since certificates are renewed every few weeks.
package certificate
