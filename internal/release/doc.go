// Command release builds what is handed on, in build/release: archives for every system, with and
// without strategies, Debian packages, images for containers, the list of modules and checksums.
// The same source gives the same bytes in any folder and at any time: times are those of the
// commit, names are in order, and the version is that of the program. It is a module of its own so
// that the program's has no need of its libraries.
package main
