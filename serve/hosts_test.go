package serve

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A server without tokens answers to its addresses, localhost and the configured names only, and so
// not to a page whose name resolves to this machine.
func TestHostsWithoutTokens(t *testing.T) {
	dir := t.TempDir()
	src := ones(t, dir, 1)
	open := made(t, Options{Models: []Source{src}, Hosts: []string{"Ranker.Example.org", "fe80::1"}})
	secret := made(t, Options{Models: []Source{src}, TokenFile: write(t, dir+"/token", "first-token-of-two\n")})
	const within, from = "127.0.0.1", "192.0.2.7"
	for _, c := range []struct {
		local, host string
		want        int
	}{
		{within, "localhost", 200}, {within, "localhost:8080", 200}, {within, "LOCALHOST.:1", 200}, {within,
			"127.0.0.1:8080", 200}, {within, "127.9.9.9", 200},
		{within, "[::1]:8080", 200}, {within, "[::1]", 200}, {within, "[::ffff:127.0.0.1]:80", 200}, {within,
			"ranker.example.org:8080", 200}, {within, "[fe80::1]:80", 200},
		{within, "", 200}, // of HTTP/1.0, which no browser sends
		{within, "evil.example:8080", 421}, {within, "evil.example", 421}, {within, "127.0.0.1.evil.example", 421},
		{within, "localhost.evil.example", 421},
		{within, "0.0.0.0:8080", 421}, {within, "192.0.2.7", 421}, {within, "2130706433", 421}, {within, "127.1",
			421}, {within, "[::]:8080", 421},
		{within, "ranker.example.org.evil.example", 421}, {within, "a:b:c", 421}, {within, "[", 421},
		{from, "192.0.2.7:8080", 200}, {from, "198.51.100.1:8080", 200}, {from, "localhost:8080", 200}, {from,
			"[2001:db8::1]", 200}, {from, "evil.example", 421},
		{"", "127.0.0.1", 200}, {"", "192.0.2.7", 421}, {"", "evil.example", 421},
	} {
		ask := func(s *Server, method, path, header string) reply {
			r := httptest.NewRequest(method, "http://x"+path, nil)
			r.Host = c.host
			if header != "" {
				r.Header.Set("Authorization", header)
			}
			if c.local != "" {
				local := &net.TCPAddr{IP: net.ParseIP(c.local), Port: 8080}
				r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(local)))
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			return reply{w.Code, w.Header(), w.Body.Bytes()}
		}
		for _, path := range []string{"GET /v1/models", "GET /", "GET /healthz", "GET /metrics", "POST /-/reload"} {
			method, path, _ := strings.Cut(path, " ")
			r := ask(open, method, path, "")
			if r.status != c.want {
				t.Errorf("%s %s at %s by the host %q: %d, want %d", method, path, c.local, c.host, r.status, c.want)
			}
			if c.want == 421 {
				r.problem(t, 421, "wrong-host")
			}
		}
		if r := ask(secret, "GET", "/v1/models", "Bearer first-token-of-two"); r.status != 200 {
			t.Errorf("with a token by the host %q: %d", c.host, r.status)
		}
	}
	for _, name := range []string{"", "a.example:80", "http://a.example", "a b", "*.example"} {
		if _, err := New(Options{Models: []Source{src}, Hosts: []string{name}}); err == nil ||
			!strings.Contains(err.Error(), "not a host name") {
			t.Errorf("the host %q: %v", name, err)
		}
	}
}

// The address of a connection is an address of the machine.
func TestHostOfListener(t *testing.T) {
	s := made(t, Options{Models: []Source{ones(t, t.TempDir(), 1)}})
	url, stop := running(t, s)
	for host, want := range map[string]int{"": 200, "localhost": 200, "evil.example": 421} {
		r, err := http.NewRequest("GET", url+"/v1/models", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("by the host %q: %d, want %d", host, answer.StatusCode, want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	if err := stop(); err != nil {
		t.Error(err)
	}
}
