// Package atomicfile replaces files in one step: a reader finds the old file or the new
// one, whole, even after a crash or on a full disk. It also keeps other programs from a
// file, by [Lock] and [Hold], and other users, by [MakePrivate]. [Begins] tells whether a
// file that is there is of the kind that may be replaced.
//
//	f, err := atomicfile.Create("leduc.strategy")
//	if err != nil {
//		return err
//	}
//	defer f.Cleanup() // after Commit it does nothing
//	if _, err := f.Write(data); err != nil {
//		return err
//	}
//	return f.Commit()
//
// A program that is asked to end finishes the file, or cleans it up, before it does; see [shutdown]. A killed program
// leaves the file that it was writing under its temporary name; [RemoveAbandoned] removes it.
//
// A lock is one of the operating system on a file. It ends with the program, however
// that ends; the file of a [Lock] stays.
package atomicfile
