// Package memory reports how much memory a program may use, refuses work that needs
// more, and makes large tables. Amounts are bytes in an int64; the largest int64 stands
// for every amount from there on.
package memory
