//go:build linux

package server

import (
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"gamebots/hexproto/server/database"

	sqlite3 "modernc.org/sqlite/lib"
)

// disk is a file system of SQLite that remembers each file as it was when it was last
// synced: this is all that a power failure leaves of it.
var disk struct {
	sync.Mutex
	vfs     sqlite3.Tsqlite3_vfs
	name    [5]byte // what SQLite calls the file system, with C's end
	open    uintptr // the system's function
	paths   map[uintptr]string
	methods map[uintptr]*sqlite3.Tsqlite3_io_methods // our methods of files, by the system's
	synced  map[string][]byte
}

// How Go has SQLite's functions and structures. tls is the state of a thread.
func pointer[F any](f F) uintptr    { return *(*uintptr)(unsafe.Pointer(&f)) }
func function[F any](p uintptr) F   { return *(*F)(unsafe.Pointer(&p)) }
func structure[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }
func address[T any](p *T) uintptr   { return uintptr(unsafe.Pointer(p)) }

// newThread returns the state of a thread that a function takes. It has no more than memory for what is called here,
// and is never freed.
func newThread[T any](func(*T, uintptr) uintptr) *T { return new(T) }

// text returns a text of C.
func text(p uintptr) string {
	b := structure[byte](p)
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(b), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(b, n))
}

// openOnDisk opens a file whose syncs are remembered.
func openOnDisk(tls, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	rc := function[func(tls, vfs, name, file uintptr, flags int32, out uintptr) int32](disk.open)(tls, vfs,
		name, file, flags, out)
	if rc != sqlite3.SQLITE_OK || name == 0 {
		return rc
	}
	disk.Lock()
	defer disk.Unlock()
	f := structure[sqlite3.Tsqlite3_file](file)
	m := disk.methods[f.FpMethods]
	if m == nil {
		m = new(*structure[sqlite3.Tsqlite3_io_methods](f.FpMethods))
		m.FxSync = pointer(syncOnDisk)
		disk.methods[f.FpMethods] = m
	}
	f.FpMethods = address(m)
	disk.paths[file] = text(name)
	return rc
}

// syncOnDisk remembers what is in a file.
func syncOnDisk(_, file uintptr, _ int32) int32 {
	disk.Lock()
	defer disk.Unlock()
	data, err := os.ReadFile(disk.paths[file])
	if err != nil {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	disk.synced[disk.paths[file]] = data
	return sqlite3.SQLITE_OK
}

// useDisk has SQLite use the disk until the test ends.
func useDisk(t *testing.T) {
	first, err := database.Open(filepath.Join(t.TempDir(), "first.db"), database.SyncFull, nil) // initializes SQLite
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	tls := newThread(sqlite3.Xsqlite3_vfs_find)
	system := sqlite3.Xsqlite3_vfs_find(tls, 0)
	disk.vfs = *structure[sqlite3.Tsqlite3_vfs](system)
	copy(disk.name[:], "disk")
	disk.open = disk.vfs.FxOpen
	disk.vfs.FxOpen, disk.vfs.FzName, disk.vfs.FpNext = pointer(openOnDisk), address(&disk.name[0]), 0
	disk.paths, disk.synced = map[uintptr]string{}, map[string][]byte{}
	disk.methods = map[uintptr]*sqlite3.Tsqlite3_io_methods{}
	sqlite3.Xsqlite3_vfs_register(tls, address(&disk.vfs), 1)
	t.Cleanup(func() {
		sqlite3.Xsqlite3_vfs_register(tls, system, 1)
		sqlite3.Xsqlite3_vfs_unregister(tls, address(&disk.vfs))
	})
}

// afterPowerFailure returns a database with what a power failure now would leave.
func afterPowerFailure(t *testing.T, path string) string {
	t.Helper()
	disk.Lock()
	defer disk.Unlock()
	left := filepath.Join(t.TempDir(), "games.db")
	for _, of := range []string{"", "-wal"} {
		if data, ok := disk.synced[path+of]; ok {
			if err := os.WriteFile(left+of, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return left
}

// A disk that loses whatever was not synced loses nothing that was acknowledged, and
// doubles nothing, whenever that happens. With SyncNormal it may lose the end.
func TestPowerFailure(t *testing.T) {
	useDisk(t)
	for _, sync := range []database.Sync{database.SyncFull, database.SyncNormal} {
		path := filepath.Join(t.TempDir(), "games.db")
		st, err := openStore(path, sync, nil, slog.New(slog.DiscardHandler),
			func(err error) { t.Error(err) }, noneRefused(t))
		if err != nil {
			t.Fatal(err)
		}
		c, err := st.db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		lost := 0
		random := rand.New(rand.NewPCG(5, 6))
		text := string(make([]byte, 6000))
		for turn := range 800 { // the log is cut once
			var tx transaction
			tx.write(addMove, 1, turn, 0, text, 0, 0)
			acknowledged := make(chan bool)
			tx.after = append(tx.after, func() { close(acknowledged) })
			st.submit(tx)
			if random.IntN(100) == 0 {
				checkpoint(c)
			}
			select {
			case <-acknowledged:
			case <-st.done: // it failed, and has said so
				t.FailNow()
			}
			if random.IntN(40) > 0 {
				continue
			}
			db, err := database.Open(afterPowerFailure(t, path), sync, nil)
			if err != nil {
				t.Fatal(err)
			}
			var whole string
			var moves, last int
			if err := db.QueryRow(`SELECT (SELECT integrity_check FROM pragma_integrity_check), count(*), `+
				`ifnull(max(turn), -1) FROM moves`).Scan(&whole, &moves, &last); err != nil {
				t.Fatal(err)
			}
			db.Close()
			lost += turn + 1 - moves
			if whole != "ok" || last != moves-1 || moves > turn+1 {
				t.Errorf("sync %s: after %d acknowledged moves there are %d, the last is %d, and the database is %s",
					sync, turn+1, moves, last, whole)
			}
		}
		if (lost > 0) != (sync == database.SyncNormal) {
			t.Errorf("sync %s: %d acknowledged moves were lost", sync, lost)
		}
		c.Close()
		if err := st.close(); err != nil {
			t.Fatal(err)
		}
	}
}
