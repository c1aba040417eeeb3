package serve

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// checkHosts refuses names that no request can ask by, and returns them as they are compared.
func checkHosts(names []string) ([]string, error) {
	var hosts []string
	for _, name := range names {
		if name == "" || strings.ContainsAny(name, "/@ *") || strings.Contains(name, ":") && !isAddress(name) {
			return nil, fmt.Errorf("%q is not a host name: give one such as ranker.example.org, without a port", name)
		}
		hosts = append(hosts, plainHost(name))
	}
	return hosts, nil
}

func isAddress(name string) bool {
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil
}

// plainHost is the host of a request without its port, brackets and last dot, in small letters.
func plainHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// misdirected refuses a request to a server without tokens under a foreign host name. A web page
// can let its host name resolve to this machine; the browser then takes the answers for those of
// the page, and the only trace is the name.
//
// An address is no name, but where the connection says it arrived: within the machine an address of
// the machine, otherwise possibly that of a router.
func (s *Server) misdirected(r *http.Request) *Problem {
	if s.secrets.tokens.Load() != nil || r.Host == "" {
		return nil
	}
	host := plainHost(r.Host)
	if host == "localhost" || slices.Contains(s.hosts, host) {
		return nil
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
		within := local == nil || local.IP.IsLoopback()
		if !within || ip.Unmap().IsLoopback() || local != nil && local.IP.Equal(net.IP(ip.AsSlice())) {
			return nil
		}
	}
	return problem(http.StatusMisdirectedRequest, "wrong-host", "the server does not answer to the name %q",
		clip(r.Host)).
		hint("use an address or localhost; " +
			"a server with tokens, or with --host NAME, answers to its name")
}
