//go:build !unix

package serve

// nonblock is nothing where no file makes who opens it wait.
const nonblock = 0
