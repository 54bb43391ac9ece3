// Package chart draws curves into PNG and SVG files.
package chart
