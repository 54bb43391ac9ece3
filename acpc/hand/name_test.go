package hand_test

import (
	"testing"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
)

func TestName(t *testing.T) {
	for _, test := range []struct {
		ranking     hand.Ranking
		cards, want string
	}{
		{hand.ACPC, "Ks", "king high"}, // Kuhn poker
		{hand.ACPC, "KsKh", "pair of kings"},
		{hand.ACPC, "QsKh", "king high"},
		{hand.ACPC, "2s7h9dJcKs3h5d", "king high"},
		{hand.ACPC, "2s7h9dJcKs3h9c", "pair of nines"},
		{hand.ACPC, "6s6hAd7c9s3h5d", "pair of sixes"},
		{hand.ACPC, "KsKh8d8c2s3h5d", "two pair, kings and eights"},
		{hand.ACPC, "KsKh8d8c2s2h5d", "two pair, kings and eights"}, // the third pair does not count
		{hand.ACPC, "2sKh2d2c9s3h5d", "three of a kind, deuces"},
		{hand.ACPC, "As2h3d4c5sKhKd", "straight, five high"},
		{hand.ACPC, "TsJhQdKcAs2h3d", "straight, ace high"},
		{hand.ACPC, "2s7s9sJsKs3h5d", "flush, king high"},
		{hand.ACPC, "KsKh8d8c8s3h5d", "full house, eights over kings"},
		{hand.ACPC, "KsKhKd8c8s8h5d", "full house, kings over eights"},
		{hand.ACPC, "7s7h7d7c8s8h5d", "four of a kind, sevens"},
		{hand.ACPC, "As2s3s4s5sKhKd", "straight flush, five high"},
		{hand.ACPC, "TsJsQsKsAs2h3d", "royal flush"},
		{hand.ThreeCard, "AsKsQs", "straight flush, ace high"},
		{hand.ThreeCard, "AsKsQh", "straight, ace high"},
		{hand.ThreeCard, "As2s3h", "straight, three high"},
		{hand.ThreeCard, "As9s3s", "flush, ace high"},
		{hand.ThreeCard, "TsTh3s", "pair of tens"},
		{hand.ThreeCard, "TsThTd", "three of a kind, tens"},
		{hand.ThreeCard, "Ts9h3s", "ten high"},
	} {
		s, err := card.ParseSet(test.cards)
		if err != nil {
			t.Fatal(err)
		}
		if got := test.ranking.Name(s); got != test.want {
			t.Errorf("%v of %v: %q, want %q", test.ranking, test.cards, got, test.want)
		}
	}
}
