package published

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

//go:embed *.csv
var files embed.FS

// table returns the rows of a file without the line that names the columns. It
// panics if the file is malformed, as the files are part of the program.
func table(name string) [][]string {
	file, err := files.Open(name)
	if err != nil {
		panic(err)
	}
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		panic(fmt.Errorf("%s: %w", name, err))
	}
	return rows[1:]
}

// read returns the rows of a file by a function for one of them.
func read[T any](name string, of func(row []string) T) (all []T) {
	for _, row := range table(name) {
		all = append(all, of(row))
	}
	return all
}

// integer and float read a number from a table.
func integer(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func float(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return x
}
