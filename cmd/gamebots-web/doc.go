// Command gamebots-web is what the page of "make web" runs in workers of a browser, as
// WebAssembly. As "serve" it is the server of gamebots serve with one player, who reaches it by
// messages instead of the network; as "solve" it solves one spot. docs/web.md describes the page.
package main
