package main

import (
	"path/filepath"
	"strings"
	"time"
)

// defaultRows are commands with all defaults on every data set of a folder, whose files are @SET/FILE here, and on
// relations of as many row as column nodes: every verb that learns, estimates or tells, with no option but those that
// say what the columns and kernels are.
func defaultRows(folder string) (rows []commandRow) {
	add := func(name, args string, files ...string) {
		rows = append(rows, commandRow{name, strings.ReplaceAll(args, "@", folder+"/"), files, 10 * time.Minute, work{}})
	}
	for _, s := range rowSets {
		file, _, _ := strings.Cut(s.args, " ")
		from := made(file)
		models := []string{s.name + "-1.model", s.name + "-1024.model"}
		for k, lambda := range []string{"1", "1024"} {
			train := "train " + s.args + " --lambda " + lambda + " -o " + models[k]
			recipes[models[k]] = recipe{strings.ReplaceAll(train, "@", folder+"/"), from}
		}
		add(s.name+": train", "train "+s.args+" -o out.model", from...)
		add(s.name+": cv", "cv "+s.args, from...)
		if s.queries {
			add(s.name+": stream train", "stream train "+s.args+" -o out.model", from...)
		}
		from = append(models, from...)
		add(s.name+": compare", "compare "+file+" --model "+models[0]+" --model "+models[1]+" "+s.judged, from...)
		add(s.name+": report", "report "+models[0]+" "+file+" "+s.judged+" -o out.html", from...)
	}
	relation := func(name, args string, files ...string) {
		add(name+": relation train", "relation train "+args+" -o out.model", files...)
		add(name+": relation cv", "relation cv "+args, files...)
	}
	for _, s := range relationSets {
		relation(s[0], s[1], made(strings.Fields(s[1])...)...)
	}
	for _, p := range []string{"50", "125", "250", "500", "1000"} {
		for _, labels := range [][2]string{{"signal", "real"}, {"class", "0/1"}, {"edges", "random"}} {
			edges, nodes := labels[0]+p+".tsv", "nodes"+p+".tsv"
			args := edges + " --rows " + nodes + " --cols " + nodes
			relation(p+" × "+p+" "+labels[1], args, edges, nodes)
			relation(p+" × "+p+" "+labels[1]+" Gaussian", args+" --row-kernel gaussian:gamma=0.1", edges, nodes)
		}
	}
	for _, args := range boards {
		name, _, _ := strings.Cut(filepath.Base(args), ".")
		add(name+": leaderboard", "leaderboard "+args)
	}
	return rows
}

// made are the words that are files of the work folder.
func made(words ...string) (files []string) {
	for _, word := range words {
		if _, known := sources[word]; known {
			files = append(files, word)
		}
	}
	return files
}

var rowSets = []struct {
	name, args string
	judged     string // what compare and report need beside: metrics where labels are below 0, which NDCG does not take
	queries    bool   // that a stream can read one by one
}{
	{"mq2008", "mq2008.txt", "", true}, {"ohsumed25", "ohsumed25.txt", "", true},
	{"ohsumed45", "ohsumed45.txt", "", true}, {"cadata", "@cadata/cadata.svm.gz", "-m tau-b", false},
	{"reuters", "@reuters21578/reuters21578_tfidf.svm.gz", "", false},
	{"newsgroups", "@20newsgroups/20news_bydate_tfidf.svm.gz", "", false},
	{"rcv1", "@rcv1_sample/rcv1_vw_all.svm.gz", "-m tau-b", false}, {"usps", "@usps/usps_train.svm.gz", "", false},
	{"usps-test", "@usps/usps_test.svm.gz", "", false}, {"colon", "@microarray/alon.svm.gz", "-m tau-b", false},
	{"leukaemia", "@microarray/golub.svm.gz", "-m tau-b", false},
	{"parses", "@rlscore_examples/rank_train.light.gz", "", false},
	{"breastcancer", "@uci/breastcancer.svm.gz", "-m tau-b", false}, {"housing", "@uci/housing.svm.gz", "", false},
	{"ionosphere", "@uci/ionosphere.svm.gz", "-m tau-b", false},
	{"parkinsons", "@uci/parkinsons.svm.gz", "-m tau-b", false},
	{"pima", "@uci/pimaindiansdiabetes2.svm.gz", "-m tau-b", false}, {"sonar", "@uci/sonar.svm.gz", "-m tau-b", false},
	{"spam", "@uci/spam.svm.gz", "-m tau-b", false}, {"jester-user", "jester-user.txt", "-m tau-b", false},
	{"jester-users", "jester-users.txt", "-m tau-b", false},
	{"gbsg2", "@survival/gbsg2.csv --time time --event cens --factor-columns horTh,menostat,tgrade", "", false},
	{"veteran", "@survival/veteran.csv --time Survival_in_days --event Status --positive dead " +
		"--factor-columns Treatment,Celltype,Prior_therapy", "--positive dead", false},
	{"gse7390", "@survival/gse7390_metastasis.csv.gz --time t.tdm --event e.tdm --factor-columns grade,er", "", false},
	{"flchain", "@survival/flchain.csv.gz --time futime --event death --positive dead --ignore-columns chapter " +
		"--missing mean --factor-columns sex,mgus", "--positive dead", false},
}

// relationSets have a name, and edges with their options.
var relationSets = [][2]string{
	yamanishi("nr", "dg"), yamanishi("gpcr", "dg"), yamanishi("ic", "dg"), yamanishi("e", "proteins_ppi"),
	{"davis", "davis.tsv --rows davis-drugs.tsv --cols davis-targets.tsv --row-kernel precomputed --psd-fix clip"},
	{"yeast", "yeast.tsv --rows yeast-kernel.tsv --row-kernel precomputed"},
}

// yamanishi is a relation of targets and drugs, with the similarities of targets that it has.
func yamanishi(name, targets string) [2]string {
	matrix := "@yamanishi/" + name + "_admat_dgc.txt.gz"
	if name == "nr" {
		matrix = strings.TrimSuffix(matrix, ".gz")
	}
	return [2]string{name, matrix + " --rows @yamanishi/" + name + "_simmat_" + targets + ".txt.gz --cols @yamanishi/" +
		name + "_simmat_dc.txt.gz --row-kernel precomputed --symmetrize --psd-fix clip"}
}

var boards = []string{
	"@comparisons/arena_2024_08.csv.gz", "@comparisons/llmfao.csv.gz", "@comparisons/baseball_1987.csv",
	"@comparisons/flatlizards_contests.csv",
}
