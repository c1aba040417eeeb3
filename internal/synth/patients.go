package synth

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// Patients describes the expression of genes in samples of two kinds of tissue, tumor and normal, in the shape
// of the colon cancer set (Alon et al, 1999): few rows, many columns, three rows of five are tumors.
//
// Genes are in pathways of ten. The value of a gene is its usual level, plus a factor that its pathway has in
// the sample, plus noise. In every fifth pathway tumors differ, in half of these upwards. The numbers are ours;
// only the shape is that of the set.
type Patients struct {
	Rows  int
	Genes int // 0 is 2000
	Seed  uint64
}

const (
	pathwayGenes  = 10
	alteredEvery  = 5   // of the pathways
	alteration    = 0.8 // by which tumors differ, in units of the pathway's deviation
	expressionMin = 0   // hundredths, like expressionMax
	expressionMax = 2000
)

func (p Patients) filled() (Patients, error) {
	if p.Genes == 0 {
		p.Genes = 2000
	}
	if p.Rows < 1 || p.Genes < 1 {
		return p, fmt.Errorf("cannot make %d rows of %d genes", p.Rows, p.Genes)
	}
	return p, within(limit{"rows", p.Rows, maxRows}, limit{"features", p.Genes, maxDense})
}

// levels are the usual levels of the genes.
func (p Patients) levels() []float64 {
	random := newSource(p.Seed).of(forModel, 0)
	levels := make([]float64, p.Genes)
	for j := range levels {
		levels[j] = 7 + 1.5*random.NormFloat64()
	}
	return levels
}

// tumor reports whether row i is one: three of five are.
func tumor(i int) bool { return 3*i%5 < 3 }

// row makes the values of row i, in hundredths.
func (p Patients) row(x []int, levels []float64, random source, i int) {
	random = random.of(forRows, i)
	factor := 0.0
	for j := range x {
		if j%pathwayGenes == 0 {
			factor = random.NormFloat64()
			if pathway := j / pathwayGenes; pathway%alteredEvery == 0 && tumor(i) {
				factor += math.Copysign(alteration, float64(pathway/alteredEvery%2)-0.5)
			}
		}
		value := levels[j] + 0.6*factor + 0.7*random.NormFloat64()
		x[j] = clamp(100*value, expressionMin, expressionMax)
	}
}

// Write writes a CSV table: a header, then for each sample its name, its diagnosis and its genes.
func (p Patients) Write(w io.Writer) error {
	p, err := p.filled()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	samples, genes := len(fmt.Sprint(p.Rows)), len(fmt.Sprint(p.Genes))
	fmt.Fprint(out, "sample,diagnosis")
	for j := range p.Genes {
		fmt.Fprintf(out, ",gene%0*d", genes, j+1)
	}
	out.WriteByte('\n')
	levels, random, x := p.levels(), newSource(p.Seed), make([]int, p.Genes)
	var text []byte
	for i := range p.Rows {
		p.row(x, levels, random, i)
		text = fmt.Appendf(text[:0], "P%0*d,%s", samples, i+1, diagnosis(i))
		for _, k := range x {
			text = appendFixed(append(text, ','), k, 2)
		}
		if _, err := out.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// diagnosis is the label of row i as text.
func diagnosis(i int) string {
	if tumor(i) {
		return "tumor"
	}
	return "normal"
}
