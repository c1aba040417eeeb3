// Package policy has no code. Its tests hold the whole repository to its rules:
//
//   - rooms_test.go: which package may import which
//   - commands_test.go: the commands in the pages do what the pages say
//   - r_test.go: the programs of R in the pages print what the pages show
//   - pages_test.go: pages, map and verbs agree
//   - doors_test.go: the first table of README.md leads into the clone, and the sample data are as they are said to be
//   - files_test.go: files stay small and documented
//   - binary_test.go: the program is one static file
//   - module_test.go: the path of the module can be changed, and used by a replace until then
package policy
