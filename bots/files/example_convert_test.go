package files_test

import (
	"fmt"
	"os"
	"strings"

	"gamebots/bots/files"
)

func ExampleJob_Run() {
	game := "one side=4 winner=white end=resign plies=4 pw=Ada pb=Bob : d4 swap c3 resign\n"
	job := files.Job{From: files.Text, To: files.Text, Name: "games.txt"}
	result, err := job.Run(strings.NewReader(game), os.Stdout)
	fmt.Println(result.Records, err)
	// Output:
	// one side=4 winner=white end=resign plies=4 pw=Ada pb=Bob : d4 swap c3 resign
	// 1 <nil>
}
