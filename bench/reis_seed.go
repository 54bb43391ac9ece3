package bench

// reisVariants are the measurements of M. Reis, A GPU implementation of
// counterfactual regret minimization, Universidade do Porto 2015: memory, and
// the seconds of so many iterations, twice as many and so on. It does not name
// the machine; for the GPU, memory is that of the device.
var reisVariants = []reisVariant{
	{"reis-a", 1000, []reisProgram{ // tables 3 and 7 to 9
		{name: "recursive", threads: 1, kib: 1348, seconds: [...]float64{0.006, 0.0132, 0.0228, 0.0258, 0.0338, 0.043, 0.0494, 0.0524, 0.059, 0.063}},
		{name: "iterative", threads: 8, kib: 1600, seconds: [...]float64{0.0212, 0.0428, 0.065, 0.0834, 0.1048, 0.115, 0.1376, 0.159, 0.177, 0.1886}},
		{name: "GPU", threads: 0, kib: 64172, seconds: [...]float64{1.5246, 3.0284, 4.5698, 6.0498, 7.5344, 9.0314, 10.547, 12.0554, 13.5504, 15.0624}},
	}},
	{"reis-b", 1000, []reisProgram{ // tables 4 and 10 to 12
		{name: "recursive", threads: 1, kib: 1879876, seconds: [...]float64{0.0195, 0.03825, 0.05775, 0.076, 0.09825, 0.115, 0.13375, 0.15225, 0.17425, 0.191}},
		{name: "iterative", threads: 8, kib: 1880064, seconds: [...]float64{0.03325, 0.0635, 0.096, 0.1275, 0.1595, 0.192, 0.22275, 0.253, 0.286, 0.324}},
		{name: "GPU", threads: 0, kib: 865783, seconds: [...]float64{1.53325, 3.03025, 4.57, 6.0535, 7.55675, 9.05775, 10.55925, 12.27825, 13.63725, 15.06025}},
	}},
	{"reis-c", 10, []reisProgram{ // tables 5 and 13 to 15
		{name: "recursive", threads: 1, kib: 1016252, seconds: [...]float64{0.36375, 0.7275, 1.0975, 1.45875, 1.8165, 2.1635, 2.5284, 2.87825, 3.244, 3.6215}},
		{name: "iterative", threads: 8, kib: 1071296, seconds: [...]float64{0.154, 0.3305, 0.48225, 0.6265, 0.744, 0.859, 0.959, 1.075, 1.21675, 1.38925}},
		{name: "GPU", threads: 0, kib: 1155530, seconds: [...]float64{0.3545, 0.6935, 1.0385, 1.37825, 1.71725, 2.0595, 2.39775, 2.74475, 3.0795, 3.4195}},
	}},
	{"reis-d", 10, []reisProgram{ // tables 6 and 16 to 18
		{name: "recursive", threads: 1, kib: 206552, seconds: [...]float64{13.70925, 27.30975, 41.13625, 54.646, 68.2605, 82.11325, 95.8335, 110.0168, 123.0603, 136.9745}},
		{name: "iterative", threads: 8, kib: 1689908, seconds: [...]float64{4.199, 7.918, 12.63, 15.37575, 19.48075, 22.995, 26.5745, 30.3585, 34.654, 37.9965}},
		{name: "GPU", threads: 0, kib: 1772470, seconds: [...]float64{2.241, 4.47125, 6.69825, 8.929, 11.17025, 13.388, 15.6155, 17.84525, 20.1085, 22.33925}},
	}},
}
