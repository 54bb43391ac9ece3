// The kernels that a fake driver is linked with.
#pragma once

#include "cuda.cuh"

#include <functional>
#include <string>
#include <utility>

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

// kernels lists all that are linked in; nullptr where there is none of a name.
const Kernel *find(const std::string &name);

} // namespace fake
