package main

import "gamebots/cmd/internal/cli"

func main() { cli.Main(newRoot()) }
