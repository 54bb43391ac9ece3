// Package gemm multiplies gathered rows by matrices: the inner loops of convolutions on
// boards, forward and backward. Each product is added with one rounding (FMA), in an order
// that does not depend on the sizes of batches. On amd64 the loops use AVX2 and FMA where
// the processor has them, and give the same bits without.
package gemm
