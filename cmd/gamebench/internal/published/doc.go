// Package published has the figures of the publications whose programs this module
// implements, as they print them: data to set beside measurements. Each table is a
// CSV file, whose first line names the columns, and a type for its rows.
package published
