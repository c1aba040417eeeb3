// Package policy has no code. Its tests hold the whole repository to its rules:
// which room may import which (rooms_test.go), that the commands in the pages
// do what the pages say (commands_test.go), that pages, map and verbs agree
// (pages_test.go), that files stay small and documented (files_test.go), and
// that the program is one static file (binary_test.go).
package policy
