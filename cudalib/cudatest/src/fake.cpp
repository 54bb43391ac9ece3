// A libcuda.so.1 without a GPU, for tests. Its devices run kernels on the host
// (host.cuh), and it is stricter than a real driver:
//
//   - Work on a stream is done only when somebody waits for it, and of other
//     streams only what events make it wait for: a missing wait shows.
//   - Memory is never 0 at first, and a kernel that writes a little beyond an
//     allocation causes a fault.
//   - A call on a thread without a context fails, always.
//
// fake_configure, or $FAKE_CUDA when the library is loaded, tells it how to
// behave: "key=value" separated by ";".
//
//   version=12020     what cuDriverGetVersion returns
//   devices=2         how many devices there are
//   capability=61     of the devices
//   memory=1000000    bytes a device
//   fail=NAME:CODE    the next call of NAME returns CODE, once
//   hang=NAME         the call of NAME does not return
//   crash=NAME        the call of NAME ends the process by a signal
//   record=PATH       launches are written to a file, for replay.cpp
#include "fake.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#ifdef _WIN32
#include <windows.h>
#define API extern "C" __attribute__((dllexport))
#else
#include <unistd.h>
#define API extern "C" __attribute__((visibility("default")))
#endif

enum {
	ok = 0,
	invalid_value = 1,
	out_of_memory = 2,
	not_initialized = 3,
	no_device = 100,
	invalid_device = 101,
	invalid_context = 201,
	no_binary = 209,
	invalid_ptx = 218,
	invalid_handle = 400,
	not_found = 500,
	not_ready = 600,
	illegal_address = 700,
	launch_timeout = 702,
	capture_unsupported = 900,
};

namespace {

typedef std::chrono::steady_clock Clock;
typedef std::function<int()> Work; // done later; returns an error or ok

constexpr size_t guard = 256;         // bytes before and after an allocation
constexpr unsigned char unset = 0xa5; // what memory and guards hold

struct Memory {
	std::unique_ptr<unsigned char[]> bytes;
	size_t n;
	bool host;
	struct Device *device;
};

struct Graph;

struct Stream {
	std::deque<Work> work;
	uint64_t put = 0, done = 0; // how much was put on the stream, and done of it
	Graph *capture = nullptr;
};

struct Event {
	Stream *stream = nullptr; // nullptr before it is recorded
	uint64_t after = 0;       // it has come when so much of the stream is done
	bool come = false;
	Clock::time_point time;
	Graph *capture = nullptr;
};

struct Graph {
	std::deque<Work> work;
	std::set<Stream *> streams;
};

struct Module {
	std::set<std::string> entries;
};

struct Device {
	int contexts = 0;
};

struct Function {
	const fake::Kernel *kernel;
	unsigned shared = 48 << 10; // bytes that a block may have now
};

// Who a handle belongs to, and what frees it.
struct Handle {
	Device *device;
	std::function<void()> free;
};

std::recursive_mutex lock;
bool initialized;
int version = 13000, capability = 70, fault = ok;
size_t memory_bytes = 64 << 20, memory_used;
int shared_bytes = 96 << 10; // of a block
std::deque<Device> devices(1);
std::map<std::string, int> failures, calls;
std::string hang, crash, record;
std::map<std::tuple<std::string, unsigned, unsigned, size_t, std::vector<uint64_t>>, int> recorded;
std::map<unsigned char *, Memory> memories; // by the first byte that a program sees
std::map<void *, Handle> handles;           // of streams, events, modules and graphs
std::set<Stream *> streams;
std::map<std::pair<Module *, std::string>, Function> functions;
thread_local Device *context;

// number returns a number of a setting, which has nothing else.
long long number(const std::string &text) {
	size_t used;
	const long long n = stoll(text, &used);
	if (used < text.size())
		abort();
	return n;
}

void configure(const std::string &text) {
	for (size_t at = 0; at < text.size();) {
		size_t end = std::min(text.find(';', at), text.size());
		std::string setting = text.substr(at, end - at), key = setting.substr(0, setting.find('=')),
			value = setting.substr(setting.find('=') + 1);
		at = end + 1;
		if (key == "version") version = number(value);
		else if (key == "devices") devices.resize(number(value));
		else if (key == "capability") capability = number(value);
		else if (key == "memory") memory_bytes = number(value);
		else if (key == "shared") shared_bytes = number(value);
		else if (key == "fail") failures[value.substr(0, value.find(':'))] = number(value.substr(value.find(':') + 1));
		else if (key == "hang") hang = value;
		else if (key == "crash") crash = value;
		else if (key == "record") record = value, recorded.clear();
		else abort();
	}
}

// When the library is loaded, and after the variables above have been made.
[[maybe_unused]] const bool configured = [] {
	if (const char *text = getenv("FAKE_CUDA"))
		configure(text);
	return true;
}();

// enter begins each call: it returns the error that the call has whatever its
// arguments are.
int enter(const char *name, bool needs_context = true) {
	if (hang == name)
		for (;;)
			std::this_thread::sleep_for(std::chrono::hours(1));
	if (crash == name) {
#ifdef _WIN32
		TerminateProcess(GetCurrentProcess(), 1);
#else
		kill(getpid(), SIGKILL);
#endif
	}
	calls[name]++;
	if (auto failure = failures.find(name); failure != failures.end()) {
		int code = failure->second;
		failures.erase(failure);
		if (code >= 700 && code < 720)
			fault = code;
		return code;
	}
	if (!initialized)
		return not_initialized;
	if (needs_context && !context)
		return invalid_context;
	return needs_context ? fault : ok;
}

#define ENTER(...) \
	std::lock_guard<std::recursive_mutex> guarded(lock); \
	if (int code = enter(__func__ __VA_OPT__(, ) __VA_ARGS__)) \
	return code

template <class T> void own(T *handle) {
	handles[handle] = {context, [handle] { delete handle; }};
}

template <class T> int create(T **handle) {
	own(*handle = new T);
	return ok;
}

int destroy(void *handle) {
	auto found = handles.find(handle);
	if (found == handles.end())
		return invalid_handle;
	found->second.free();
	handles.erase(found);
	return ok;
}

#define VALID(handle) \
	if (!handles.count(handle)) \
	return invalid_handle

// intact reports whether nothing has been written outside of the allocations.
bool intact() {
	auto unset_all = [](const unsigned char *bytes) {
		return bytes[0] == unset && !memcmp(bytes, bytes + 1, guard - 1);
	};
	for (auto &[first, m] : memories)
		if (!unset_all(m.bytes.get()) || !unset_all(first + m.n))
			return false;
	return true;
}

// run_until does the work of a stream until so much of it is done.
int run_until(Stream *s, uint64_t done) {
	while (s->done < done && fault == ok) {
		Work work = s->work.front();
		s->work.pop_front();
		s->done++;
		if (int code = work())
			fault = code;
		else if (!intact())
			fault = illegal_address;
	}
	return fault;
}

int put(Stream *s, Work work) {
	if (s->capture) {
		s->capture->work.push_back(work);
	} else {
		s->work.push_back(work);
		s->put++;
	}
	return ok;
}

// allocation finds the memory that holds n bytes from an address.
Memory *allocation(unsigned char *address, size_t n) {
	auto next = memories.upper_bound(address);
	if (next == memories.begin())
		return nullptr;
	auto &[first, m] = *--next;
	return address + n <= first + m.n ? &m : nullptr;
}

int allocate(unsigned char **address, size_t n, bool host) {
	if (n == 0)
		return invalid_value;
	if (!host && n > memory_bytes - memory_used)
		return out_of_memory;
	std::unique_ptr<unsigned char[]> bytes(new unsigned char[n + 2 * guard]);
	memset(bytes.get(), unset, n + 2 * guard);
	*address = bytes.get() + guard;
	memories[*address] = Memory{std::move(bytes), n, host, context};
	memory_used += host ? 0 : n;
	return ok;
}

int release(unsigned char *address, bool host) {
	auto m = memories.find(address);
	if (m == memories.end() || m->second.host != host)
		return invalid_value;
	for (Stream *s : streams) // as a real driver does, wait for all that may use it
		run_until(s, s->put);
	bool whole = intact();
	memory_used -= host ? 0 : m->second.n;
	memories.erase(m);
	if (!whole)
		fault = illegal_address;
	return fault;
}

template <class T> void write(std::ostream &out, T value) {
	out.write(reinterpret_cast<const char *>(&value), sizeof value);
}

// record_launch writes what replay.cpp needs to do a launch again: the kernel,
// its grid, its arguments and the memory that they point to. The same launch is
// written twice, and not as often as a loop repeats it.
void record_launch(const fake::Kernel &k, unsigned blocks, unsigned threads, size_t shared,
		const std::vector<uint64_t> &args) {
	if (++recorded[{k.name, blocks, threads, shared, args}] > 2)
		return;
	std::ofstream out(record, std::ios::binary | std::ios::app);
	write<uint64_t>(out, strlen(k.name));
	out << k.name;
	for (uint64_t n : {uint64_t(blocks), uint64_t(threads), uint64_t(shared), uint64_t(args.size())})
		write(out, n);
	for (size_t i = 0; i < args.size(); i++) {
		auto address = reinterpret_cast<unsigned char *>(args[i]);
		Memory *m = k.sizes[i] == sizeof address ? allocation(address, 0) : nullptr;
		unsigned char *first = m ? m->bytes.get() + guard : nullptr;
		write(out, args[i]);
		write(out, uint64_t(first));
		write<uint64_t>(out, m ? m->n : 0);
		if (m)
			out.write(reinterpret_cast<char *>(first), m->n);
	}
}

} // namespace

API void fake_configure(const char *text) {
	std::lock_guard<std::recursive_mutex> guarded(lock);
	configure(text);
}

// fake_recover makes the devices as good as new after a fault.
API void fake_recover() {
	std::lock_guard<std::recursive_mutex> guarded(lock);
	fault = ok;
	for (auto &[first, m] : memories) {
		memset(m.bytes.get(), unset, guard);
		memset(first + m.n, unset, guard);
	}
}

// fake_calls returns how often a function was called.
API int fake_calls(const char *name) {
	std::lock_guard<std::recursive_mutex> guarded(lock);
	return calls[name];
}

// fake_left returns how many allocations, handles and contexts are left.
API int fake_left() {
	std::lock_guard<std::recursive_mutex> guarded(lock);
	int n = memories.size() + handles.size();
	for (auto &d : devices)
		n += d.contexts;
	return n;
}

API int cuGetErrorName(int code, const char **name) {
	static const std::map<int, const char *> names = {
		{invalid_value, "CUDA_ERROR_INVALID_VALUE"}, {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
		{not_initialized, "CUDA_ERROR_NOT_INITIALIZED"}, {no_device, "CUDA_ERROR_NO_DEVICE"},
		{invalid_device, "CUDA_ERROR_INVALID_DEVICE"}, {invalid_context, "CUDA_ERROR_INVALID_CONTEXT"},
		{invalid_ptx, "CUDA_ERROR_INVALID_PTX"}, {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
		{launch_timeout, "CUDA_ERROR_LAUNCH_TIMEOUT"}};
	auto found = names.find(code);
	*name = found == names.end() ? nullptr : found->second;
	return *name ? ok : invalid_value;
}

API int cuGetErrorString(int code, const char **text) {
	*text = code == out_of_memory ? "out of memory"
		: code == illegal_address ? "an illegal memory access was encountered" : nullptr;
	return *text ? ok : invalid_value;
}

API int cuInit(unsigned) {
	std::lock_guard<std::recursive_mutex> guarded(lock);
	int code = enter("cuInit", false);
	if (code == not_initialized && !devices.empty()) {
		initialized = true;
		return ok;
	}
	return code == not_initialized ? no_device : code;
}

API int cuDriverGetVersion(int *v) {
	*v = version;
	return ok;
}

API int cuDeviceGetCount(int *n) {
	ENTER(false);
	*n = devices.size();
	return ok;
}

API int cuDeviceGet(int *device, int ordinal) {
	ENTER(false);
	if (ordinal < 0 || size_t(ordinal) >= devices.size())
		return invalid_device;
	*device = ordinal;
	return ok;
}

API int cuDeviceGetName(char *name, int n, int) {
	ENTER(false);
	strncpy(name, "Fake GPU", n);
	return ok;
}

API int cuDeviceTotalMem_v2(size_t *n, int) {
	ENTER(false);
	*n = memory_bytes;
	return ok;
}

API int cuDeviceGetAttribute(int *value, int attribute, int) {
	ENTER(false);
	switch (attribute) {
	case 16: *value = 2; return ok;                // multiprocessors
	case 38: *value = 1 << 20; return ok;          // second-level cache
	case 75: *value = capability / 10; return ok;  // compute capability, major
	case 76: *value = capability % 10; return ok;  // and minor
	case 97: *value = shared_bytes; return ok;        // shared memory a block
	default: return invalid_value;
	}
}

API int cuDevicePrimaryCtxRetain(Device **created, int device) {
	ENTER(false);
	*created = &devices[device];
	(*created)->contexts++;
	return ok;
}

API int cuDevicePrimaryCtxRelease_v2(int device) {
	ENTER(false);
	if (devices[device].contexts == 0)
		return invalid_context;
	if (--devices[device].contexts > 0)
		return ok;
	// With the last context goes all that is in it.
	auto mine = [device](auto &entry) { return entry.second.device == &devices[device]; };
	std::erase_if(streams, [&](Stream *s) { return handles[s].device == &devices[device]; });
	for (auto &[handle, h] : handles)
		if (h.device == &devices[device])
			h.free();
	std::erase_if(handles, mine);
	for (auto &[first, m] : memories)
		if (m.device == &devices[device] && !m.host)
			memory_used -= m.n;
	std::erase_if(memories, mine);
	return ok;
}

API int cuCtxSetCurrent(Device *device) {
	ENTER(false);
	context = device;
	return ok;
}

API int cuMemGetInfo_v2(size_t *free, size_t *total) {
	ENTER();
	*free = memory_bytes - memory_used;
	*total = memory_bytes;
	return ok;
}

API int cuMemAlloc_v2(unsigned char **address, size_t n) {
	ENTER();
	return allocate(address, n, false);
}

API int cuMemFree_v2(unsigned char *address) {
	ENTER();
	return release(address, false);
}

API int cuMemAllocHost_v2(unsigned char **address, size_t n) {
	ENTER();
	return allocate(address, n, true);
}

API int cuMemFreeHost(unsigned char *address) {
	ENTER();
	return release(address, true);
}

// A copy on a stream; what is said to be on the device has to be there.
static int copy(unsigned char *to, bool to_device, const unsigned char *from, bool from_device, size_t n, Stream *s) {
	VALID(s);
	auto on_device = [n](const unsigned char *p) {
		Memory *m = allocation(const_cast<unsigned char *>(p), n);
		return m && !m->host;
	};
	if ((to_device && !on_device(to)) || (from_device && !on_device(from)))
		return invalid_value;
	return put(s, [=] { memmove(to, from, n); return ok; });
}

API int cuMemcpyHtoDAsync_v2(unsigned char *to, unsigned char *from, size_t n, Stream *s) {
	ENTER();
	return copy(to, true, from, false, n, s);
}

API int cuMemcpyDtoHAsync_v2(unsigned char *to, unsigned char *from, size_t n, Stream *s) {
	ENTER();
	return copy(to, false, from, true, n, s);
}

API int cuMemsetD8Async(unsigned char *to, unsigned char value, size_t n, Stream *s) {
	ENTER();
	VALID(s);
	if (!allocation(to, n))
		return invalid_value;
	return put(s, [=] { memset(to, value, n); return ok; });
}

API int cuModuleLoadDataEx(Module **module, const char *ptx, unsigned n, int *options, void **values) {
	ENTER();
	std::string text(ptx);
	if (text.find(".version") == std::string::npos ||
			std::count(text.begin(), text.end(), '{') != std::count(text.begin(), text.end(), '}')) {
		for (unsigned i = 0; i < n; i++)
			if (options[i] == 5) // the error log
				strcpy(static_cast<char *>(values[i]),
					"ptxas input, line 1; error : Parsing error\nptxas fatal : Ptx assembly aborted\n");
		return invalid_ptx;
	}
	if (size_t target = text.find(".target sm_"); target != std::string::npos && atoi(&text[target + 11]) > capability)
		return no_binary;
	create(module);
	for (size_t at = 0; (at = text.find(".entry ", at)) != std::string::npos;) {
		at += 7;
		(*module)->entries.insert(text.substr(at, text.find('(', at) - at));
	}
	return ok;
}

API int cuModuleUnload(Module *module) {
	ENTER();
	std::erase_if(functions, [=](const auto &f) { return f.first.first == module; });
	return destroy(module);
}

API int cuModuleGetFunction(Function **function, Module *module, const char *name) {
	ENTER();
	VALID(module);
	const fake::Kernel *kernel = fake::find(name);
	if (!kernel || !module->entries.count(name))
		return not_found;
	*function = &functions.try_emplace({module, name}, Function{kernel}).first->second;
	return ok;
}

API int cuFuncSetAttribute(Function *f, int attribute, int value) {
	ENTER();
	if (attribute != 8 || value > shared_bytes)
		return invalid_value;
	f->shared = value;
	return ok;
}

API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *, int, size_t) {
	ENTER();
	*blocks = 1;
	return ok;
}

API int cuLaunchKernel(Function *f, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned,
		unsigned shared, Stream *s, void **pointers, void **) {
	ENTER();
	VALID(s);
	if (shared > f->shared)
		return invalid_value;
	// The arguments are taken now, as a real driver does.
	std::vector<uint64_t> args;
	for (size_t i = 0; i < f->kernel->parameters; i++)
		memcpy(&args.emplace_back(0), pointers[i], f->kernel->sizes[i]);
	return put(s, [=, kernel = f->kernel] {
		std::vector<uint64_t> mine = args;
		std::vector<void *> pointers;
		for (uint64_t &arg : mine)
			pointers.push_back(&arg);
		if (!record.empty())
			record_launch(*kernel, blocks, threads, shared, mine);
		return host::run(blocks, threads, shared, kernel->call, pointers.data()) ? ok : launch_timeout;
	});
}

API int cuStreamCreate(Stream **s, unsigned) {
	ENTER();
	create(s);
	streams.insert(*s);
	return ok;
}

API int cuStreamDestroy_v2(Stream *s) {
	ENTER();
	VALID(s);
	if (int code = run_until(s, s->put))
		return code;
	streams.erase(s);
	return destroy(s);
}

API int cuStreamSynchronize(Stream *s) {
	ENTER();
	VALID(s);
	if (s->capture)
		return capture_unsupported;
	return run_until(s, s->put);
}

API int cuEventCreate(Event **e, unsigned) {
	ENTER();
	return create(e);
}

API int cuEventDestroy_v2(Event *e) {
	ENTER();
	return destroy(e);
}

API int cuEventRecord(Event *e, Stream *s) {
	ENTER();
	VALID(e);
	VALID(s);
	*e = Event{s, s->put + 1, false, {}, s->capture};
	if (s->capture)
		return ok;
	return put(s, [e] {
		if (handles.count(e)) {
			e->come = true;
			e->time = Clock::now();
		}
		return ok;
	});
}

API int cuEventSynchronize(Event *e) {
	ENTER();
	VALID(e);
	return e->stream ? run_until(e->stream, e->after) : ok;
}

API int cuEventElapsedTime(float *ms, Event *start, Event *end) {
	ENTER();
	VALID(start);
	VALID(end);
	if (!start->come || !end->come)
		return not_ready;
	*ms = std::chrono::duration<float, std::milli>(end->time - start->time).count();
	return ok;
}

API int cuStreamWaitEvent(Stream *s, Event *e, unsigned) {
	ENTER();
	VALID(s);
	VALID(e);
	if (e->capture) { // the stream's work becomes part of the graph
		s->capture = e->capture;
		s->capture->streams.insert(s);
		return ok;
	}
	if (!e->stream)
		return ok;
	return put(s, [from = e->stream, after = e->after] { return run_until(from, after); });
}

API int cuStreamBeginCapture_v2(Stream *s, int) {
	ENTER();
	VALID(s);
	if (s->capture)
		return capture_unsupported;
	s->capture = new Graph;
	s->capture->streams.insert(s);
	return ok;
}

API int cuStreamEndCapture(Stream *s, Graph **graph) {
	ENTER();
	VALID(s);
	*graph = s->capture;
	own(*graph);
	for (Stream *captured : (*graph)->streams)
		captured->capture = nullptr;
	return ok;
}

API int cuGraphInstantiateWithFlags(Graph **executable, Graph *graph, unsigned long long) {
	ENTER();
	VALID(graph);
	create(executable);
	(*executable)->work = graph->work;
	return ok;
}

API int cuGraphLaunch(Graph *executable, Stream *s) {
	ENTER();
	VALID(executable);
	VALID(s);
	for (auto &work : executable->work)
		put(s, work);
	return ok;
}

API int cuGraphExecDestroy(Graph *executable) {
	ENTER();
	return destroy(executable);
}

API int cuGraphDestroy(Graph *graph) {
	ENTER();
	return destroy(graph);
}
