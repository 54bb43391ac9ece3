package driver_test

import (
	"testing"

	"gamebots/cudalib/driver"

	"github.com/google/go-cmp/cmp"
)

func TestParseSignatures(t *testing.T) {
	tests := []struct {
		name, ptx string
		want      map[string][]int // nil: it is refused
	}{
		{"none", ".version 6.0\n", map[string][]int{}},
		{"no parameters", ".visible .entry f()\n{ ret; }", map[string][]int{"f": {}}},
		{"scalars", ".visible .entry f(\n\t.param .u64 f_param_0,\n\t.param .f32 f_param_1,\n\t.param " +
			".u16 f_param_2\n)", map[string][]int{"f": {8, 4, 2}}},
		{"struct", ".entry f(\n\t.param .align 8 .b8 f_param_0[40],\n\t.param .s32 f_param_1\n)",
			map[string][]int{"f": {40, 4}}},
		{"pointer with attributes", ".entry f(.param .u64 .ptr .global .align 16 f_param_0)",
			map[string][]int{"f": {8}}},
		{"two", ".entry f(.param .b32 a) {} .func g(.param .b64 x) {} .visible .entry h(.param .b64 b) {}",
			map[string][]int{"f": {4}, "h": {8}}},
		{"cut off", ".entry f(\n\t.param .u64 a", nil},
		{"unknown type", ".entry f(.param .texref a)", nil},
		{"length that is no number", ".entry f(.param .b8 a[n])", nil},
	}
	for _, test := range tests {
		got, err := driver.ParseSignatures(test.ptx)
		if diff := cmp.Diff(test.want, got); diff != "" || (err == nil) != (test.want != nil) {
			t.Errorf("%s: error %v (-want +got):\n%s", test.name, err, diff)
		}
	}
}
