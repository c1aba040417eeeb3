//go:build !unix

package serve

// nonblock is 0 where opening a file never waits.
const nonblock = 0
