// The kernels that a fake driver is linked with.
#pragma once

#include "cuda.cuh"

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace fake {

// A kernel, called with pointers to its arguments as CUDA passes them.
struct Kernel {
	std::string name;
	std::vector<size_t> sizes; // of its parameters in bytes
	std::function<void(void **)> call;
};

template <class... Args, size_t... I>
Kernel kernel(const char *name, void (*f)(Args...), std::index_sequence<I...>) {
	return {name, {sizeof(Args)...}, [f](void **args) { (void)args; f(*static_cast<Args *>(args[I])...); }};
}

template <class... Args> Kernel kernel(const char *name, void (*f)(Args...)) {
	return kernel(name, f, std::index_sequence_for<Args...>());
}

// linked returns all kernels that are linked in.
inline std::vector<Kernel> &linked() {
	static std::vector<Kernel> all;
	return all;
}

// Family adds the kernels of a family to those that are linked in.
struct Family {
	Family(std::initializer_list<Kernel> kernels) { linked().insert(linked().end(), kernels); }
};

// find returns the kernel of a name, nullptr if there is none.
inline const Kernel *find(const std::string &name) {
	for (auto &k : linked())
		if (k.name == name)
			return &k;
	return nullptr;
}

} // namespace fake
