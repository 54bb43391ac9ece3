package slowtest

import "testing"

func TestOnly(t *testing.T) {
	for value, runs := range map[string]bool{"": false, "0": false, "1": true} {
		t.Run("value "+value, func(t *testing.T) {
			t.Setenv(variable, value)
			ran := false
			t.Run("slow", func(t *testing.T) {
				Only(t)
				ran = true
			})
			if ran != runs || Enabled() != runs {
				t.Errorf("slow parts ran: %v; Enabled: %v; want %v", ran, Enabled(), runs)
			}
		})
	}
}
