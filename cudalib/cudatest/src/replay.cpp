// Does again the launches that a fake driver recorded, on memory as it was then.
// It is a program, so that it can be built with ThreadSanitizer.
//
// Usage: replay PATH
#include "fake.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <list>
#include <string>
#include <vector>

static uint64_t number(std::istream &in) {
	uint64_t n = 0;
	in.read(reinterpret_cast<char *>(&n), sizeof n);
	return n;
}

static std::string text(std::istream &in, size_t n) {
	std::string s(n, 0);
	in.read(s.data(), n);
	return s;
}

// A copy of an allocation of then.
struct Memory {
	uint64_t first, n; // its address and size then
	std::vector<std::max_align_t> bytes;
};

int main(int, char **argv) {
	std::ifstream in(argv[1], std::ios::binary);
	int launches = 0;
	while (in.peek() != EOF) {
		std::string name = text(in, number(in));
		const fake::Kernel *kernel = fake::find(name.c_str());
		if (!kernel) {
			fprintf(stderr, "replay: no kernel %s\n", name.c_str());
			return 1;
		}
		unsigned blocks = number(in), threads = number(in);
		size_t shared = number(in);
		std::vector<uint64_t> args(number(in));
		std::list<Memory> memories; // an allocation that several arguments point to is one
		for (uint64_t &arg : args) {
			arg = number(in);
			uint64_t first = number(in), n = number(in);
			if (n == 0)
				continue;
			std::string content = text(in, n);
			auto known = std::find_if(memories.begin(), memories.end(),
				[&](const Memory &m) { return m.first == first; });
			if (known == memories.end()) {
				known = memories.insert(memories.end(),
					Memory{first, n, std::vector<std::max_align_t>(n / sizeof(std::max_align_t) + 1)});
				memcpy(known->bytes.data(), content.data(), n);
			}
			arg = reinterpret_cast<uint64_t>(known->bytes.data()) + (arg - first);
		}
		if (!in) {
			fprintf(stderr, "replay: %s is cut off\n", argv[1]);
			return 1;
		}
		std::vector<void *> pointers;
		for (uint64_t &arg : args)
			pointers.push_back(&arg);
		if (!host::run(blocks, threads, shared, kernel->call, pointers.data())) {
			fprintf(stderr, "replay: threads of %s wait at a barrier that others never reach\n", name.c_str());
			return 1;
		}
		launches++;
	}
	printf("%d launches\n", launches);
}
