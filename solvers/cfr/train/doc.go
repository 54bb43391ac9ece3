// Package train trains a strategy by the name of an algorithm.
package train
