package card

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextRoundTrip(t *testing.T) {
	for c := range Card(DeckSize) {
		text := c.String()
		for _, s := range []string{text, strings.ToLower(text), strings.ToUpper(text), text + "/9s"} {
			if got, err := Parse(s); err != nil || got != c {
				t.Errorf("Parse(%q) = %v, %v; want %v", s, got, err, c)
			}
		}
		if got := New(c.Rank(), c.Suit()); got != c {
			t.Errorf("New(%d, %d) = %d, want %d", c.Rank(), c.Suit(), got, c)
		}
	}
}

func TestNumbering(t *testing.T) {
	for text, want := range map[string]Card{"2c": 0, "2s": 3, "3c": 4, "Td": 33, "As": 51} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

// Every pair of bytes that is no card is refused, letters' look-alikes a bit
// away from them included.
func TestParseRefuses(t *testing.T) {
	valid := map[string]bool{}
	for _, rank := range "23456789TJQKAtjqka" {
		for _, suit := range "cdhsCDHS" {
			valid[string(rank)+string(suit)] = true
		}
	}
	for i := range 1 << 16 {
		s := string([]byte{byte(i >> 8), byte(i)})
		if _, err := Parse(s); (err == nil) != valid[s] {
			t.Errorf("Parse(%q): %v", s, err)
		}
	}
	for _, s := range []string{"", "A"} {
		if c, err := Parse(s); err == nil {
			t.Errorf("Parse(%q) = %v", s, c)
		}
	}
}

func TestDeck(t *testing.T) {
	for _, test := range []struct {
		suits, ranks int
		want         string
	}{
		{1, 3, "QsKsAs"},
		{2, 3, "QhKhAhQsKsAs"},
		{3, 1, "AdAhAs"},
		{4, 2, "KcAcKdAdKhAhKsAs"},
	} {
		var got []byte
		for _, c := range Deck(test.suits, test.ranks) {
			got = c.Append(got)
		}
		if d := cmp.Diff(test.want, string(got)); d != "" {
			t.Errorf("Deck(%d, %d) (-want +got):\n%s", test.suits, test.ranks, d)
		}
	}
	if full := SetOf(Deck(NumSuits, NumRanks)...); full.Len() != DeckSize {
		t.Errorf("the full deck has %d distinct cards", full.Len())
	}
}

func TestSetText(t *testing.T) {
	s, err := ParseSet("2cAsKdah")
	if err != nil || s.String() != "AsAhKd2c" {
		t.Errorf("%v, %v", s, err)
	}
	if again, err := ParseSet(s.String()); err != nil || again != s {
		t.Errorf("%v read back: %v, %v", s, again, err)
	}
	for _, bad := range []string{"A", "AsK", "AsAs", "1s"} {
		if s, err := ParseSet(bad); err == nil {
			t.Errorf("%q: %v", bad, s)
		}
	}
}

func TestSet(t *testing.T) {
	for c := range Card(DeckSize) {
		s := SetOf(c)
		if s.Len() != 1 || s != c.Bit() {
			t.Errorf("the set of %v is %#x", c, s)
		}
		for other := range Card(DeckSize) {
			if s.Has(other) != (other == c) {
				t.Errorf("Has(%v) is wrong in the set of %v", other, c)
			}
		}
		for suit := range NumSuits {
			want := uint16(0)
			if suit == c.Suit() {
				want = 1 << c.Rank()
			}
			if got := s.Suit(suit); got != want {
				t.Errorf("Suit(%d) of %v is %#x, want %#x", suit, c, got, want)
			}
		}
	}
	if all := SetOf(0, 17, 51); all.Len() != 3 || !all.Has(17) || all.Has(18) {
		t.Errorf("a set of three cards is %#x", all)
	}
}
