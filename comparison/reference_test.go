package comparison

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"pairrank/data"
	"pairrank/internal/realdata"
)

// Figures of R 4.2.2, glm with family binomial and control list(epsilon=1e-14, maxit=100): estimates, and standard
// errors by its vcov, which has the inverse of the information.

// rows reads a file of comparisons without its header.
func rows(t *testing.T, name string) (head []string, lines [][]string) {
	t.Helper()
	f, err := os.Open(realdata.Path(t, "comparisons/"+name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

// within is whether two numbers agree to 1e-8 of the second.
func within(a, b float64) bool { return math.Abs(a-b) <= 1e-8*math.Abs(b) }

// number reads a number.
func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// seen gives each name a number.
func seen(p *Problem, at map[string]int, name string) int {
	i, is := at[name]
	if !is {
		i = len(p.Items)
		at[name] = i
		p.Items = append(p.Items, name)
	}
	return i
}

// TestBaseballOfR: the scores of teams against Milwaukee's, with and without an advantage at home.
func TestBaseballOfR(t *testing.T) {
	_, lines := rows(t, "baseball_1987.csv")
	p, at := &Problem{}, map[string]int{}
	for _, r := range lines {
		p.Lines = append(p.Lines, Line{Left: seen(p, at, r[0]), Right: seen(p, at, r[1]), Wins: number(t, r[2]),
			Losses: number(t, r[3]), Annotator: -1, Stratum: -1})
	}
	want := map[string][3]float64{ // without side; with side, its standard error
		"Detroit":   {-0.14494744484895747, -0.14419777999250818, 0.31455780873975708},
		"Toronto":   {-0.28687075274958762, -0.29244459550708607, 0.31320241182057695},
		"New York":  {-0.33373803152000636, -0.33821459030322087, 0.3136165138983103},
		"Boston":    {-0.47365817128273902, -0.47575234028176228, 0.31383126132452593},
		"Cleveland": {-0.89750310750223239, -0.91486053667989597, 0.31966218767205995},
		"Baltimore": {-1.5813558766613944, -1.6195549935873637, 0.34736568342186314},
	}
	const side, sideErr = 0.3022606555289406, 0.13094370745582445
	sided := *p
	sided.AddSide()
	for k, p := range []*Problem{p, &sided} {
		b, err := Fit(context.Background(), p, Options{Loss: Logistic})
		if err != nil {
			t.Fatal(err)
		}
		for name, w := range want {
			i := at[name]
			if got := b.Scores[i] - b.Scores[0]; !within(got, w[k]) {
				t.Errorf("%s against Milwaukee: %v, want %v", name, got, w[k])
			}
			v := b.inverse()
			se := math.Sqrt(v.Row(i)[i] + v.Row(0)[0] - 2*v.Row(i)[0])
			if k == 1 && !within(se, w[2]) {
				t.Errorf("%s: standard error %v, want %v", name, se, w[2])
			}
		}
		if k == 0 {
			continue
		}
		if se := math.Sqrt(b.inverse().Row(len(p.Items))[len(p.Items)]); !within(b.Gamma[0], side) || !within(se, sideErr) {
			t.Errorf("side %v, standard error %v, want %v and %v", b.Gamma[0], se, side, sideErr)
		}
	}
}

// TestLizardsOfR: the fixed effects of four features of lizards, of the 91 contests of those whose throat was measured.
func TestLizardsOfR(t *testing.T) {
	names := []string{"throat.PC1", "throat.PC3", "head.length", "SVL"}
	want := []float64{-0.097726340506496395, 0.30393430796287757, -0.9893091865694269, 0.21286304118611904}
	wantErr := []float64{0.029828091937861033, 0.10982025589404121, 0.48974059680003923, 0.10148251423478842}
	head, lizards := rows(t, "flatlizards_lizards.csv")
	var columns []int
	for _, name := range names {
		for j, h := range head {
			if h == name {
				columns = append(columns, j)
			}
		}
	}
	p, at := &Problem{}, map[string]int{}
	var x []float64
	for _, l := range lizards {
		if l[columns[0]] == "" {
			continue
		}
		seen(p, at, l[0])
		for _, j := range columns {
			x = append(x, number(t, l[j]))
		}
	}
	p.Features = data.NewDense(len(p.Items), len(names), x)
	_, contests := rows(t, "flatlizards_contests.csv")
	for _, c := range contests {
		winner, has := at[c[0]]
		loser, too := at[c[1]]
		if has && too {
			p.Lines = append(p.Lines, Line{Left: winner, Right: loser, Wins: 1, Annotator: -1, Stratum: -1})
		}
	}
	b, err := Fit(context.Background(), p, Options{Loss: Logistic})
	if err != nil || len(p.Lines) != 91 {
		t.Fatalf("%d contests: %v", len(p.Lines), err)
	}
	inverse := invert(hessian(p, b))
	for j, name := range names {
		if se := math.Sqrt(inverse[j][j]); !within(b.unknown[j], want[j]) || !within(se, wantErr[j]) {
			t.Errorf("%s: %v with standard error %v, want %v and %v", name, b.unknown[j], se, want[j], wantErr[j])
		}
	}
}

// hessian is that of the naive definition at the optimum.
func hessian(p *Problem, b *Board) [][]float64 {
	_, h := naiveOf(p, Options{Loss: Logistic, Ties: Half}, nil).derivatives(b.unknown)
	return h
}
