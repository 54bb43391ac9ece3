// Package farmtest has servers, workers and owners for tests of grids on loopback.
package farmtest
