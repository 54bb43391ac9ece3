// Files in the memory of a worker, in place of node's fs, through which Go's programs read and
// write. They are the strategies, and go with the worker. Errors have node's codes.

const DIRECTORY = 0o40755;
const REGULAR = 0o100644;
const flags = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 0o100, O_EXCL: 0o200, O_TRUNC: 0o1000, O_APPEND: 0o2000, O_DIRECTORY: 0o200000 };

const folder = () => ({ mode: DIRECTORY, data: new Uint8Array(0) });
const files = new Map([["/", folder()], ["/tmp", folder()]]);
const open = new Map(); // file and path by descriptor
let last = 2;
let line = ""; // of standard output

const named = (path) => `/${path}`.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
const fail = (code) => { throw Object.assign(new Error(code), { code }); };
const find = (path) => files.get(named(path)) ?? fail("ENOENT");
const above = (path) => named(path).replace(/\/[^/]*$/, "") || "/";
const within = (path) => [...files.keys()].filter((other) => other !== "/" && above(other) === named(path));
const opened = (fd) => (open.get(fd) ?? fail("EBADF")).file;

const statOf = ({ mode, data }) => ({
  mode, size: data.length, dev: 0, ino: 0, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, blocks: 0, atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => mode === DIRECTORY,
});

function resize(file, size) {
  const data = new Uint8Array(size);
  data.set(file.data.subarray(0, size));
  file.data = data;
}

function add(path, file) {
  if (files.has(named(path))) fail("EEXIST");
  find(above(path));
  files.set(named(path), file);
  return file;
}

function remove(path) {
  find(path);
  if (within(path).length) fail("ENOTEMPTY");
  files.delete(named(path));
}

// print writes to the console, line by line.
function print(bytes) {
  const lines = (line + new TextDecoder().decode(bytes)).split("\n");
  line = lines.pop();
  for (const text of lines) console.log(text);
  return bytes.length;
}

// calls are what Go's syscall package calls, without the last parameter, which is told the result.
const calls = {
  open(path, how) {
    const exists = files.has(named(path));
    if (exists && how & flags.O_EXCL) fail("EEXIST");
    const file = exists || !(how & flags.O_CREAT) ? find(path) : add(path, { mode: REGULAR, data: new Uint8Array(0) });
    if (how & flags.O_TRUNC) resize(file, 0);
    open.set(++last, { file, path });
    return last;
  },
  close(fd) { opened(fd); open.delete(fd); },
  read(fd, buffer, offset, length, position) {
    const part = opened(fd).data.subarray(position, position + length);
    buffer.set(part, offset);
    return part.length;
  },
  write(fd, buffer, offset, length, position) {
    const part = buffer.subarray(offset, offset + length);
    if (fd < 3) return print(part);
    const file = opened(fd);
    if (position + length > file.data.length) resize(file, position + length);
    file.data.set(part, position);
    return length;
  },
  stat: (path) => statOf(find(path)),
  lstat: (path) => statOf(find(path)),
  fstat: (fd) => statOf(opened(fd)),
  ftruncate(fd, size) { resize(opened(fd), size); },
  mkdir(path) { add(path, folder()); },
  readdir: (path) => within(path).map((other) => other.slice(other.lastIndexOf("/") + 1)),
  rename(from, to) {
    const file = find(from);
    files.delete(named(from));
    files.set(named(to), file);
  },
  unlink: remove,
  rmdir: remove,
  chmod() {},
  fchmod() {},
  fsync() {},
};

globalThis.fs = { constants: flags, writeSync: (_, bytes) => print(bytes) };
for (const [name, call] of Object.entries(calls)) {
  fs[name] = (...parameters) => {
    const done = parameters.pop();
    let result;
    try {
      result = call(...parameters);
    } catch (error) {
      if (!error.code) throw error;
      return done(error);
    }
    done(null, result);
  };
}
globalThis.process = { pid: 1, ppid: 1, cwd: () => "/", chdir() {}, umask: () => 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [] };
