module pairrank/evidence/checks

go 1.26.0

require (
	pairrank v0.0.0
	pairrank/evidence/papers v0.0.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace (
	pairrank => ../../
	pairrank/evidence/papers => ../papers
)
