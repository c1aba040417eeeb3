package option

// serving are the options of serve.
var serving = [][]Option{
	group("Address",
		Option{
			Name: "listen", Verbs: "serve", Default: "127.0.0.1:8080",
			Help: "`ADDRESS` host:port; :8080 is every address of the machine",
		},
		Option{
			Name: "host", Verbs: "serve",
			Help: "`NAME` of a host that requests without tokens may name, besides localhost and addresses; may be " +
				"repeated",
		},
		Option{
			Name: "token-file", Verbs: "serve",
			Help: "`FILE` of bearer tokens, one a line; a request must have one of them (default: no tokens)",
		},
		Option{
			Name: "tls-cert", Verbs: "serve",
			Needs: "tls-key",
			Help:  "PEM `FILE` of the certificate, for TLS",
		},
		Option{
			Name: "tls-key", Verbs: "serve",
			Needs: "tls-cert",
			Help:  "PEM `FILE` of its key",
		},
	),
	group("Models",
		Option{
			Name: "golden", Verbs: "serve",
			Help: "`FILE` of golden scores, or NAME=FILE; may be repeated (default: MODEL.golden.json, if there)",
		},
		Option{
			Name: "rows", Verbs: "serve",
			Help: "`FILE` of row nodes beside those of training, or NAME=FILE; may be repeated",
		},
		Option{
			Name: "cols", Verbs: "serve",
			Help: "`FILE` of column nodes, likewise; may be repeated",
		},
		Option{
			Name: "missing", Verbs: "serve", Names: words("error zero"), Default: "error",
			Help: "what a missing feature becomes, where a request does not say",
		},
		Option{
			Name: "reload", Verbs: "serve", Names: words("same any"), Default: "same",
			Help: "which models a reload takes: same features and outputs, or any",
		},
		Option{
			Name: "poll", Verbs: "serve",
			Help: "`TIME` between looks at the files for new ones, as in 10s (default: none)",
		},
		Option{
			Name: "check", Verbs: "serve",
			Help: "read all files, check the models against their golden scores, print what would be served, and end",
		},
	),
	group("Limits",
		Option{
			Name: "max-body", Verbs: "serve", Least: 1, Most: 1 << 30, Default: "16777216",
			Help: "`N` bytes of the longest body",
		},
		Option{
			Name: "max-held", Verbs: "serve",
			Help: "`N` bytes of all requests and answers in memory (default: 268435456, or 16 times --max-body; at " +
				"most an eighth of what is free)",
		},
		Option{
			Name: "max-rows", Verbs: "serve", Least: 1, Most: 10_000_000, Default: "100000",
			Help: "`N` rows or pairs of a request",
		},
		Option{
			Name: "max-concurrent", Verbs: "serve", Most: 10_000,
			Help: "`N` requests scored at a time (default: twice the threads)",
		},
		Option{
			Name: "max-queue", Verbs: "serve", Least: 1, Most: 1_000_000, Default: "1024",
			Help: "`N` requests that wait; further ones get 503",
		},
		Option{
			Name: "max-per-client", Verbs: "serve", Most: 1_000_000,
			Help: "`N` requests at a time from an address; further ones get 429 (default: any number)",
		},
		Option{
			Name: "queue-wait", Verbs: "serve", Positive: true, Default: "2s",
			Help: "`TIME` for which a request waits, then it gets 503",
		},
	),
	group("Times",
		Option{
			Name: "read-header-timeout", Verbs: "serve", Positive: true, Default: "5s",
			Help: "`TIME` for the header of a request",
		},
		Option{
			Name: "read-timeout", Verbs: "serve", Positive: true, Default: "30s",
			Help: "`TIME` for a request with its body",
		},
		Option{
			Name: "write-timeout", Verbs: "serve", Positive: true, Default: "1m0s",
			Help: "`TIME` from the end of the header to that of the answer",
		},
		Option{
			Name: "idle-timeout", Verbs: "serve", Positive: true, Default: "2m0s",
			Help: "`TIME` between two requests of a connection",
		},
		Option{
			Name: "drain", Verbs: "serve", Positive: true, Default: "10s",
			Help: "`TIME` for requests in work when the server ends",
		},
	),
}
