package page_test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"maps"
	"slices"
)

// squeeze writes a PNG with the 256 colours that it has most of, and the nearest
// of them for the others. A page has few colours but for the rims of its
// letters, so that nothing is seen of it but the size.
func squeeze(picture []byte) []byte {
	in, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		panic(err) // browsers write PNGs
	}
	b := in.Bounds()
	counts := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(in.At(x, y)).(color.RGBA) }
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			counts[at(x, y)]++
		}
	}
	most := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G),
			cmp.Compare(a.B, b.B))
	})
	var palette color.Palette
	for _, c := range most[:min(len(most), 256)] {
		palette = append(palette, c)
	}
	index := map[color.RGBA]uint8{}
	for c := range counts {
		index[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(b, palette)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			out.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	var w bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&w, out); err != nil {
		panic(err) // a buffer takes all
	}
	return w.Bytes()
}
