package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// secrets are the tokens and the certificate, as they were read last.
type secrets struct {
	tokens      atomic.Pointer[[][sha256.Size]byte] // hashes of the tokens, nil if none is required
	certificate atomic.Pointer[tls.Certificate]
}

// secretStamps looks at the files of tokens and certificate.
func secretStamps(o *Options) stamps { return stampsOfFiles(o.TokenFile, o.CertFile, o.KeyFile) }

// shortestToken is how many characters a token has at least.
const shortestToken = 16

// read reads the files of tokens and certificate, if there are any, and changes nothing
// where one of them is wrong.
func (c *secrets) read(o *Options) error {
	var tokens *[][sha256.Size]byte
	if o.TokenFile != "" {
		text, err := readFile(o.TokenFile)
		if err != nil {
			return err
		}
		tokens = new([][sha256.Size]byte)
		for k, line := range strings.Split(string(text), "\n") {
			token := strings.TrimSpace(line)
			if token == "" {
				continue
			}
			if len(token) < shortestToken {
				return fmt.Errorf("%s:%d: the token is shorter than %d characters", o.TokenFile, k+1, shortestToken)
			}
			*tokens = append(*tokens, sha256.Sum256([]byte(token)))
		}
		if len(*tokens) == 0 {
			return fmt.Errorf("%s has no token", o.TokenFile)
		}
	}
	if o.CertFile != "" {
		certificate, err := readFile(o.CertFile)
		if err != nil {
			return err
		}
		key, err := readFile(o.KeyFile)
		if err != nil {
			return err
		}
		pair, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", o.CertFile, o.KeyFile, err)
		}
		c.certificate.Store(&pair)
	}
	c.tokens.Store(tokens)
	return nil
}

// allowed reports whether a request has one of the tokens. It takes as long for a token
// that is nearly right as for any other: sums are compared, to the last byte, all of them.
func (c *secrets) allowed(r *http.Request) bool {
	tokens := c.tokens.Load()
	if tokens == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	found := 0
	for _, known := range *tokens {
		found |= subtle.ConstantTimeCompare(sum[:], known[:])
	}
	return found == 1 && strings.EqualFold(scheme, "Bearer")
}

// config is the TLS configuration, with the certificate current when a connection begins.
func (c *secrets) config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.certificate.Load(), nil },
	}
}
