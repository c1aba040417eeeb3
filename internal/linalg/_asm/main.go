// The assembly of package linalg, generated.
//
// Run from the folder above with
//
//	go generate
//
// which writes the amd64 files with avo and the arm64 file from a template.
package main

import (
	"flag"
	"log"

	"github.com/mmcloughlin/avo/build"
)

func main() {
	arm64 := flag.String("arm64", "", "write the arm64 assembly to this file and nothing else")
	flag.Parse()
	if *arm64 != "" {
		if err := writeARM64(*arm64); err != nil {
			log.Fatal(err)
		}
		return
	}
	build.ConstraintExpr("!noasm")
	micro(microKernel{name: "micro4x12", isa: "AVX2", mr: 4, nr: 12, lanes: 4, unroll: 4, broadcasts: 1, ahead: 768,
		register: ymm})
	micro(microKernel{name: "micro8x24", isa: "AVX-512", mr: 8, nr: 24, lanes: 8, unroll: 2, broadcasts: 4, ahead: 1536,
		register: zmm})
	packRows()
	packColumns()
	dot()
	axpy()
	dot4()
	axpy4()
	symv4()
	addRows("addRowsAVX", "AVX2 and FMA", 4, ymm)
	addRows("addRowsAVX512", "AVX-512", 8, zmm)
	dotRows()
	pairMargins()
	pairSigns()
	expBlocks()
	gaussianBlocks()
	sinCosBlocks()
	curves()
	build.Generate()
}
