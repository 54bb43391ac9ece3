// Package ranges has the two-card hands of hold'em: their 169 classes, ranges in the usual
// notation, and grids of the classes in colour.
//
// A [Class] is a pair, or two ranks that are suited or offsuit. A [Range] has a weight for
// every two cards; [Parse] and [Range.String] are its notation, as in "TT+,A5s-A2s,KQo:0.5".
// A [Grid] shows for each class how often it is held and what is done with it, on a
// terminal or as SVG.
package ranges
