package testkit

import "testing"

func TestSlowOnly(t *testing.T) {
	for value, runs := range map[string]bool{"": false, "0": false, "1": true} {
		t.Run("value "+value, func(t *testing.T) {
			t.Setenv(slowVariable, value)
			ran := false
			t.Run("slow", func(t *testing.T) {
				SlowOnly(t)
				ran = true
			})
			if ran != runs || SlowEnabled() != runs {
				t.Errorf("slow parts ran: %v; SlowEnabled: %v; want %v", ran, SlowEnabled(), runs)
			}
		})
	}
}
