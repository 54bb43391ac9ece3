package driver

import (
	"fmt"
	"strconv"
	"strings"
)

// parameterBytes are the sizes of PTX's types for parameters.
var parameterBytes = map[string]int{
	".b8": 1, ".u8": 1, ".s8": 1,
	".b16": 2, ".u16": 2, ".s16": 2, ".f16": 2,
	".b32": 4, ".u32": 4, ".s32": 4, ".f32": 4,
	".b64": 8, ".u64": 8, ".s64": 8, ".f64": 8,
}

// parseSignatures returns the sizes in bytes of the parameters of each kernel
// in a PTX text, as they are declared (PTX ISA, "Kernel Function Parameters"):
//
//	.entry name(
//		.param .u64 name_param_0,
//		.param .align 4 .b8 name_param_1[12]
//	)
func parseSignatures(ptx string) (map[string][]int, error) {
	signatures := map[string][]int{}
	for {
		_, rest, found := strings.Cut(ptx, ".entry ")
		if !found {
			break
		}
		name, rest, _ := strings.Cut(rest, "(")
		list, rest, closed := strings.Cut(rest, ")")
		if !closed {
			return nil, fmt.Errorf("the parameters of kernel %s do not end", strings.TrimSpace(name))
		}
		ptx = rest
		name = strings.TrimSpace(name)
		signatures[name] = []int{}
		if strings.TrimSpace(list) == "" {
			continue
		}
		for parameter := range strings.SplitSeq(list, ",") {
			size, err := parameterSize(parameter)
			if err != nil {
				return nil, fmt.Errorf("kernel %s: %w", name, err)
			}
			signatures[name] = append(signatures[name], size)
		}
	}
	return signatures, nil
}

// parameterSize returns the size of one declared parameter.
func parameterSize(declaration string) (int, error) {
	size := 0
	for _, word := range strings.Fields(declaration) {
		if n, ok := parameterBytes[word]; ok {
			size = n
		}
	}
	if _, count, ok := strings.Cut(declaration, "["); ok {
		n, err := strconv.Atoi(strings.TrimRight(count, "] \t\n"))
		if err != nil {
			return 0, fmt.Errorf("parameter %q: %w", strings.TrimSpace(declaration), err)
		}
		size *= n
	}
	if size == 0 {
		return 0, fmt.Errorf("parameter %q has no known type", strings.TrimSpace(declaration))
	}
	return size, nil
}
