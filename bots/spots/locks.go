package spots

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc/card"
	"gamebots/solvers/resolve/spot"
)

// lockColumns are the columns of CSV from which a lock is read; others are ignored.
var lockColumns = []string{"line", "hand", "action", "probability"}

// ReadLocks reads locks from CSV as [Report.WriteCSV] writes it, with a line for each hand and
// action of one or more points. The actions of a hand follow each other in their order.
func ReadLocks(in io.Reader) (locks []spot.Lock, err error) {
	r := csv.NewReader(in)
	header, err := r.Read()
	if err == io.EOF {
		return nil, errors.New("the file is empty")
	}
	if err != nil {
		return nil, err
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // with which spreadsheets begin UTF-8
	var columns []int
	for _, name := range lockColumns {
		column := slices.Index(header, name)
		if column < 0 {
			return nil, fmt.Errorf("there is no column %q", name)
		}
		columns = append(columns, column)
	}
	for {
		record, err := r.Read()
		if err == io.EOF {
			return locks, nil
		}
		if err != nil {
			return nil, err
		}
		field := func(i int) string { return record[columns[i]] }
		line, hand, action, probability := field(0), field(1), field(2), field(3)
		if action == "" {
			continue // a hand of the player who does not act
		}
		at, _ := r.FieldPos(columns[3])
		hole, err := card.ParseSet(hand)
		if err != nil || hole.Len() != 2 || len(hand) != 4 {
			return nil, fmt.Errorf("line %d: %q is not two cards", at, hand)
		}
		p, err := strconv.ParseFloat(strings.TrimSpace(probability), 64)
		if err != nil || !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("line %d: %q is not a probability", at, probability)
		}
		if len(locks) == 0 || locks[len(locks)-1].Line != line {
			locks = append(locks, spot.Lock{Line: line, Hands: map[card.Set]map[string]float64{}})
		}
		hands := locks[len(locks)-1].Hands
		if hands[hole] == nil {
			hands[hole] = map[string]float64{}
		}
		hands[hole][action] = p
	}
}
