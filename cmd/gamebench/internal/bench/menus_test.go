package bench

import "testing"

// Opponents with many raises win far less from few raises that are trained against them than from
// those trained against the same few.
func TestMenus(t *testing.T) {
	w := fullMenus
	w.cases, w.boards = w.cases[:1], 800
	var values []float64
	if err := w.run(t.Context(), func(r Row) {
		values = append(values, r.Value)
	}); err != nil {
		t.Fatal(err)
	}
	if len(values) != 3 || values[1] > values[0]/2 || values[2] > values[0]/2 {
		t.Errorf("%.4g mb", values)
	}
}
