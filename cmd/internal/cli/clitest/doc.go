// Package clitest has what the tests of all programs share.
package clitest
