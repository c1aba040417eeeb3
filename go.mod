module pairrank

go 1.26
