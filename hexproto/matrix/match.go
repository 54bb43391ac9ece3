package matrix

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// The largest numbers of rounds of a match and of actions of a player.
const (
	MaxRounds  = 1000
	MaxActions = 64
)

// maxBits bounds the common denominator of all payoffs of a match, and the payoffs of
// all rounds multiplied by it. So totals can be written as floating-point numbers, and
// long games are added up quickly.
const maxBits = 1000

// ErrOver is returned for a round after the last.
var ErrOver = errors.New("the match is over")

// A Match is a matrix game that is repeated for some rounds. Player 0 chooses
// rows. It must be used by one goroutine at a time.
type Match struct {
	names   [2][]string
	payoffs [2]payoffs
	rounds  int
	played  [][2]int // row and column by round
	totals  [2]*big.Rat
}

// New starts a match with payoffs given row by row. If a player's actions have no
// names, or names that are ambiguous, they are named by their numbers from 1.
func New(names [2][]string, payoffs [2][]*big.Rat, rows, columns, rounds int) (*Match, error) {
	switch {
	case rows < 1 || columns < 1 || rows > MaxActions || columns > MaxActions:
		return nil, fmt.Errorf("%d by %d actions: a player can have 1 to %d", rows, columns, MaxActions)
	case len(payoffs[0]) != rows*columns || len(payoffs[1]) != rows*columns:
		return nil, fmt.Errorf("%d and %d payoffs for %d by %d actions",
			len(payoffs[0]), len(payoffs[1]), rows, columns)
	case rounds < 1 || rounds > MaxRounds:
		return nil, fmt.Errorf("rounds: %d is not 1 to %d", rounds, MaxRounds)
	}
	common, err := commonDenominator(payoffs, rounds)
	if err != nil {
		return nil, err
	}
	m := &Match{rounds: rounds, totals: zeros()}
	for seat, n := range []int{rows, columns} {
		m.names[seat], m.payoffs[seat] = names[seat], pack(payoffs[seat], common)
		if !distinct(names[seat], n) {
			m.names[seat] = make([]string, n)
			for i := range n {
				m.names[seat][i] = strconv.Itoa(i + 1)
			}
		}
	}
	return m, nil
}

func zeros() [2]*big.Rat { return [2]*big.Rat{new(big.Rat), new(big.Rat)} }

// Restart returns a match of the same game before its first round.
func (m *Match) Restart() *Match {
	return &Match{names: m.names, payoffs: m.payoffs, rounds: m.rounds, totals: zeros()}
}

// commonDenominator returns that of all payoffs, or an error if a total of them could exceed
// maxBits.
func commonDenominator(payoffs [2][]*big.Rat, rounds int) (*big.Int, error) {
	all := slices.Concat(payoffs[:]...)
	common, gcd := big.NewInt(1), new(big.Int)
	for _, p := range all {
		gcd.GCD(nil, nil, common, p.Denom())
		if common.Mul(common, gcd.Quo(p.Denom(), gcd)); common.BitLen() > maxBits {
			return nil, errors.New("payoffs: their fractions have no common denominator of up to 300 digits")
		}
	}
	for _, p := range all {
		if p.Sign() != 0 && p.Num().BitLen()-p.Denom().BitLen()+common.BitLen()+bits.Len(uint(rounds)) > maxBits {
			return nil, fmt.Errorf("payoffs: the total of %d rounds could have more than 300 digits", rounds)
		}
	}
	return common, nil
}

// payoffs are a player's payoffs, row by row. A fraction takes twenty times the memory of a
// small number, and few games have any that are not small.
type payoffs struct {
	numerators []int64  // over the common denominator; nil if one of them is large
	common     *big.Int // denominator
	large      []*big.Rat
}

// pack returns payoffs with a common denominator.
func pack(all []*big.Rat, common *big.Int) payoffs {
	numerators := make([]int64, len(all))
	var n big.Int
	for i, p := range all {
		n.Mul(p.Num(), n.Quo(common, p.Denom()))
		if !n.IsInt64() {
			return payoffs{large: slices.Clone(all)}
		}
		numerators[i] = n.Int64()
	}
	return payoffs{numerators: numerators, common: common}
}

// at returns the payoff with a number.
func (p *payoffs) at(i int) *big.Rat {
	if p.large != nil {
		return p.large[i]
	}
	return new(big.Rat).SetFrac(big.NewInt(p.numerators[i]), p.common)
}

// bytes returns about how much memory the payoffs take.
func (p *payoffs) bytes() int {
	size := 8 * len(p.numerators)
	for _, x := range p.large {
		size += 96 + (x.Num().BitLen()+x.Denom().BitLen())/8
	}
	return size
}

// distinct reports whether there are n different names that are not numbers and do not
// contain a separator of a line.
func distinct(names []string, n int) bool {
	seen := map[string]bool{}
	for _, name := range names {
		_, err := strconv.Atoi(name)
		if name == "" || seen[name] || err == nil || strings.ContainsAny(name, " \t\r\n,:/") {
			return false
		}
		seen[name] = true
	}
	return len(names) == n
}

// Names returns the names of a player's actions. The slice must not be changed.
func (m *Match) Names(seat int) []string { return m.names[seat] }

// Payoff returns a player's payoff of a round. It must not be changed.
func (m *Match) Payoff(seat, row, column int) *big.Rat {
	return m.payoffs[seat].at(row*len(m.names[1]) + column)
}

// Bytes returns about how much memory the match takes when all rounds are played.
func (m *Match) Bytes() int {
	size := 16 * m.rounds
	for seat := range m.payoffs {
		size += m.payoffs[seat].bytes()
		for _, name := range m.names[seat] {
			size += 32 + len(name)
		}
	}
	return size
}

// Rounds returns the number of rounds of the match.
func (m *Match) Rounds() int { return m.rounds }

// Played returns the row and column of each round that was played. The slice must not
// be changed.
func (m *Match) Played() [][2]int { return m.played }

// Over reports whether all rounds were played.
func (m *Match) Over() bool { return len(m.played) == m.rounds }

// Total returns the sum of a player's payoffs so far.
func (m *Match) Total(seat int) *big.Rat { return new(big.Rat).Set(m.totals[seat]) }

// Winner returns the player with the larger total so far, or -1 for a tie.
func (m *Match) Winner() int {
	switch m.totals[0].Cmp(m.totals[1]) {
	case 1:
		return 0
	case -1:
		return 1
	}
	return -1
}

// Parse parses an action of a player: its name, or its number from 1.
func (m *Match) Parse(seat int, text string) (int, error) {
	if i := slices.Index(m.names[seat], text); i >= 0 {
		return i, nil
	}
	if i, err := strconv.Atoi(text); err == nil && i >= 1 && i <= len(m.names[seat]) {
		return i - 1, nil
	}
	return 0, fmt.Errorf("%q is not one of %s", text, strings.Join(m.names[seat], ", "))
}

// Play plays a round.
func (m *Match) Play(row, column int) error {
	switch {
	case m.Over():
		return ErrOver
	case row < 0 || column < 0 || row >= len(m.names[0]) || column >= len(m.names[1]):
		return fmt.Errorf("row %d and column %d of %d by %d", row, column, len(m.names[0]), len(m.names[1]))
	}
	m.played = append(m.played, [2]int{row, column})
	for seat, total := range m.totals {
		total.Add(total, m.Payoff(seat, row, column))
	}
	return nil
}

// String returns the match as one line: its rounds, each as row/column, and totals.
func (m *Match) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "rounds=%d :", m.rounds)
	for _, r := range m.played {
		fmt.Fprintf(&out, " %s/%s", m.names[0][r[0]], m.names[1][r[1]])
	}
	fmt.Fprintf(&out, " : %s %s", m.totals[0].RatString(), m.totals[1].RatString())
	return out.String()
}
