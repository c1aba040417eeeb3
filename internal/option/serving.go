package option

// serving are the options of serve.
var serving = [][]Option{
	ofVerb("serve", "Address", []Option{
		{Name: "listen", Default: "127.0.0.1:8080", Help: "`ADDRESS` host:port; :8080 is every address of the machine"},
		{
			Name: "host",
			Help: "`NAME` of a host that requests without tokens may name, besides localhost and addresses; may be " +
				"repeated",
		},
		{
			Name: "token-file",
			Help: "`FILE` of bearer tokens, one a line; a request must have one of them (default: no tokens)",
		},
		{Name: "tls-cert", Needs: "tls-key", Help: "PEM `FILE` of the certificate, for TLS"},
		{Name: "tls-key", Needs: "tls-cert", Help: "PEM `FILE` of its key"},
	}),
	ofVerb("serve", "Models", []Option{
		{
			Name: "golden",
			Help: "`FILE` of golden scores, or NAME=FILE; may be repeated (default: MODEL.golden.json, if there)",
		},
		{Name: "rows", Help: "`FILE` of row nodes beside those of training, or NAME=FILE; may be repeated"},
		{Name: "cols", Help: "`FILE` of column nodes, likewise; may be repeated"},
		{
			Name: "missing", Names: words("model error zero"), Default: "model",
			Help: "what a missing feature becomes, where a request does not say; model: what it became in training",
		},
		{
			Name: "reload", Names: words("same any"), Default: "same",
			Help: "which models a reload takes: same features and outputs, or any",
		},
		{Name: "poll", Help: "`TIME` between looks at the files for new ones, as in 10s (default: none)"},
		{
			Name: "check",
			Help: "read all files, check the models against their golden scores, print what would be served, and end",
		},
	}),
	ofVerb("serve", "Limits", []Option{
		{Name: "max-body", Least: 1, Most: 1 << 30, Default: "16777216", Help: "`N` bytes of the longest body"},
		{
			Name: "max-held",
			Help: "`N` bytes of all requests and answers in memory (default: 268435456, or 16 times --max-body; at " +
				"most an eighth of what is free)",
		},
		{Name: "max-rows", Least: 1, Most: 10_000_000, Default: "100000", Help: "`N` rows or pairs of a request"},
		{Name: "max-concurrent", Most: 10_000, Help: "`N` requests scored at a time (default: twice the threads)"},
		{
			Name: "max-queue", Least: 1, Most: 1_000_000, Default: "1024",
			Help: "`N` requests that wait; further ones get 503",
		},
		{
			Name: "max-per-client", Most: 1_000_000,
			Help: "`N` requests at a time from an address; further ones get 429 (default: any number)",
		},
		{Name: "queue-wait", Positive: true, Default: "2s", Help: "`TIME` for which a request waits, then it gets 503"},
	}),
	ofVerb("serve", "Times", []Option{
		{Name: "read-header-timeout", Positive: true, Default: "5s", Help: "`TIME` for the header of a request"},
		{Name: "read-timeout", Positive: true, Default: "30s", Help: "`TIME` for a request with its body"},
		{
			Name: "write-timeout", Positive: true, Default: "1m0s",
			Help: "`TIME` from the end of the header to that of the answer",
		},
		{Name: "idle-timeout", Positive: true, Default: "2m0s", Help: "`TIME` between two requests of a connection"},
		{Name: "drain", Positive: true, Default: "10s", Help: "`TIME` for requests in work when the server ends"},
	}),
}
