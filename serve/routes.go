package serve

import (
	"net/http"
	"slices"
	"strings"
)

// route is a path with its handlers.
type route struct {
	method  string // GET also answers HEAD
	path    string // a pattern of http.ServeMux
	open    bool   // needs no token
	handler func(http.ResponseWriter, *http.Request) *Problem
}

// allRoutes returns the routes of the server; openapi.json describes each.
func (s *Server) allRoutes() []route {
	routes := []route{
		{"POST", "/v1/models/{name}/score", false, s.answer((*loaded).answerScore)},
		{"POST", "/v1/models/{name}/rank", false, s.answer((*loaded).answerRank)},
		{"POST", "/v1/models/{name}/explain", false, s.answer((*loaded).answerExplain)},
		{"GET", "/v1/models", false, s.listModels},
		{"GET", "/v1/models/{name}", false, s.showModel},
		{"POST", "/-/reload", false, s.reload},
		{"GET", "/metrics", false, plain(s.metrics.handler())},
		{"GET", "/healthz", true, s.health},
		{"GET", "/readyz", true, s.ready},
	}
	for _, f := range files() {
		routes = append(routes, route{"GET", f.path, true, plain(f)})
	}
	return routes
}

// plain makes a route of a handler that has no problems.
func plain(h http.Handler) func(http.ResponseWriter, *http.Request) *Problem {
	return func(w http.ResponseWriter, r *http.Request) *Problem {
		h.ServeHTTP(w, r)
		return nil
	}
}

// router finds the route of a request; a path or a method that there is not is a problem
// like any other.
func (s *Server) router() http.Handler {
	mux := http.NewServeMux()
	byPath := map[string][]route{}
	for _, r := range s.routes {
		byPath[r.path] = append(byPath[r.path], r)
	}
	for path, routes := range byPath {
		pattern := path
		if path == "/" {
			pattern = "/{$}"
		}
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.dispatch(w, r, routes) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, problem(http.StatusNotFound, "unknown-path", "there is nothing at this path").
			hint("/openapi.json has all paths"))
	})
	return mux
}

// dispatch answers by the route of the method.
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request, routes []route) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	i := slices.IndexFunc(routes, func(t route) bool { return t.method == method })
	if i < 0 {
		var methods []string
		for _, t := range routes {
			methods = append(methods, t.method)
		}
		p := problem(http.StatusMethodNotAllowed, "wrong-method", "the method is %s", strings.Join(methods, " or "))
		p.allow = strings.Join(methods, ", ")
		writeProblem(w, p)
		return
	}
	if a, ok := w.(*answerWriter); ok {
		a.route = routes[i].path
	}
	if !routes[i].open && !s.secrets.allowed(r) {
		writeProblem(w, problem(http.StatusUnauthorized, "token", "the request has no token, or a wrong one").
			hint("send the header Authorization: Bearer TOKEN"))
		return
	}
	if p := routes[i].handler(w, r); p != nil {
		writeProblem(w, p)
	}
}
