package main

import (
	"os"
	"strings"
)

// Lines as go test -json writes them, without times. A package does not build, one passes, and in one a test fails
// and another one panics.
func Example_report() {
	err := report(strings.NewReader(`{"ImportPath":"broken","Action":"build-output","Output":"# broken\n"}
{"ImportPath":"broken","Action":"build-output","Output":"a.go:3:1: undefined: b\n"}
{"ImportPath":"broken","Action":"build-fail"}
{"Action":"start","Package":"broken"}
{"Action":"output","Package":"broken","Output":"FAIL broken [build failed]\n"}
{"Action":"fail","Package":"broken","Elapsed":0,"FailedBuild":"broken"}
{"Action":"start","Package":"good"}
{"Action":"output","Package":"good","Test":"TestQuick","Output":"=== RUN   TestQuick\n"}
{"Action":"output","Package":"good","Test":"TestQuick","Output":"    a_test.go:7: seed 3\n"}
{"Action":"output","Package":"good","Test":"TestQuick","Output":"--- PASS: TestQuick (0.00s)\n"}
{"Action":"pass","Package":"good","Test":"TestQuick","Elapsed":0}
{"Action":"pass","Package":"good","Test":"TestSlow","Elapsed":2.3}
{"Action":"output","Package":"good","Output":"PASS\n"}
{"Action":"output","Package":"good","Output":"ok good 2.301s\n"}
{"Action":"pass","Package":"good","Elapsed":2.301}
go: a line that is not JSON
{"Action":"start","Package":"bad"}
{"Action":"output","Package":"bad","Test":"TestBad","Output":"=== RUN   TestBad\n"}
{"Action":"output","Package":"bad","Test":"TestBad","Output":"    b_test.go:9: 2, want 3\n"}
{"Action":"output","Package":"bad","Test":"TestBad","Output":"--- FAIL: TestBad (2.50s)\n"}
{"Action":"fail","Package":"bad","Test":"TestBad","Elapsed":2.5}
{"Action":"output","Package":"bad","Test":"TestPanics","Output":"panic: division by zero\n"}
{"Action":"output","Package":"bad","Output":"FAIL bad 2.600s\n"}
{"Action":"fail","Package":"bad","Elapsed":2.6}
`), os.Stdout)
	if err != nil {
		panic(err)
	}
	// Output:
	// # broken
	// a.go:3:1: undefined: b
	// FAIL broken [build failed]
	// ok good 2.301s
	// go: a line that is not JSON
	//     b_test.go:9: 2, want 3
	// --- FAIL: TestBad (2.50s)
	// panic: division by zero
	// FAIL bad 2.600s
	//
	// slowest tests, in seconds:
	//     2.5  bad TestBad
	//     2.3  good TestSlow
	//
	// slowest packages, in seconds:
	//     2.6  bad
	//     2.3  good
}
