package main

// foundWritten are tables as R and pandas wrote them, of the same six rows.
var foundWritten = []foundTable{
	{name: `R write.csv`, file: "r01.csv", outcome: "read",
		text: "\"\",\"outcome\",\"age\",\"dose\"\n\"1\",1,61,0.5\n\"2\",0,45,1.25\n\"3\",1,70,0.75\n" +
			"\"4\",0,38,2\n\"5\",1,66,1.5\n\"6\",0,52,3\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `R write.csv, row.names = FALSE`, file: "r02.csv", outcome: "read",
		text: "\"outcome\",\"age\",\"dose\"\n1,61,0.5\n0,45,1.25\n1,70,0.75\n0,38,2\n1,66,1.5\n0,52,3\n",
		want: []string{`label "outcome", no queries, 2 features`}},
	{name: `R write.csv2`, file: "r03.csv", outcome: "read",
		text: "\"\";\"outcome\";\"age\";\"dose\"\n\"1\";1;61;0,5\n\"2\";0;45;1,25\n\"3\";1;70;0,75\n" +
			"\"4\";0;38;2\n\"5\";1;66;1,5\n\"6\";0;52;3\n",
		want: []string{`label "outcome", no queries, id "1", decimal commas, 2 features`}},
	{name: `R write.csv2, row.names = FALSE`, file: "r04.csv", outcome: "read",
		text: "\"outcome\";\"age\";\"dose\"\n1;61;0,5\n0;45;1,25\n1;70;0,75\n0;38;2\n1;66;1,5\n0;52;3\n",
		want: []string{`label "outcome", no queries, decimal commas, 2 features`}},
	{name: `R write.table`, file: "r05.txt", outcome: "read",
		flags: "--format csv",
		text: "\"outcome\" \"age\" \"dose\"\n\"1\" 1 61 0.5\n\"2\" 0 45 1.25\n\"3\" 1 70 0.75\n\"4\" 0 38 2\n" +
			"\"5\" 1 66 1.5\n\"6\" 0 52 3\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `R write.table to .csv`, file: "r06.csv", outcome: "read",
		text: "\"outcome\" \"age\" \"dose\"\n\"1\" 1 61 0.5\n\"2\" 0 45 1.25\n\"3\" 1 70 0.75\n\"4\" 0 38 2\n" +
			"\"5\" 1 66 1.5\n\"6\" 0 52 3\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `R write.table, sep = tab, quote = FALSE`, file: "r07.tsv", outcome: "read",
		text: "outcome\tage\tdose\n1\t1\t61\t0.5\n2\t0\t45\t1.25\n3\t1\t70\t0.75\n4\t0\t38\t2\n5\t1\t66\t1.5\n" +
			"6\t0\t52\t3\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `R write.table, col.names = NA`, file: "r08.tsv", outcome: "read",
		text: "\"\"\t\"outcome\"\t\"age\"\t\"dose\"\n\"1\"\t1\t61\t0.5\n\"2\"\t0\t45\t1.25\n" +
			"\"3\"\t1\t70\t0.75\n\"4\"\t0\t38\t2\n\"5\"\t1\t66\t1.5\n\"6\"\t0\t52\t3\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `R write.table, col.names = FALSE`, file: "r09.csv", outcome: "refused",
		text: "\"1\",1,61,0.5\n\"2\",0,45,1.25\n\"3\",1,70,0.75\n\"4\",0,38,2\n\"5\",1,66,1.5\n\"6\",0,52,3\n",
		want: []string{
			`r09.csv:1:1: there is no header that names the labels: columns 1 … 4 begin with "1", "1", "61", "0.5"`,
			`--label-column COLUMN names the labels`,
		}},
	{name: `R write.table, col.names = FALSE, and the number of the label`, file: "r09.csv", outcome: "said",
		flags: "--label-column 2", id: "1",
		text: "\"1\",1,61,0.5\n\"2\",0,45,1.25\n\"3\",1,70,0.75\n\"4\",0,38,2\n\"5\",1,66,1.5\n\"6\",0,52,3\n",
		want: []string{
			`label "2", no queries, 3 features`,
			`warning: feature 1 is whole-numbered and ascends throughout`,
		}},
	{name: `R with NA, logicals, factors and dates`, file: "r10.csv", outcome: "refused",
		text: "\"\",\"outcome\",\"age\",\"dose\",\"smoker\",\"sex\",\"seen\"\n" +
			"\"1\",1,61,0.5,TRUE,\"m\",2024-01-30\n\"2\",0,45,1.25,FALSE,\"f\",2024-01-31\n" +
			"\"3\",1,70,NA,TRUE,\"f\",2024-02-01\n\"4\",0,38,2,TRUE,\"m\",2024-02-02\n" +
			"\"5\",1,66,1e-05,FALSE,\"m\",2024-02-03\n\"6\",0,52,3,NA,\"f\",2024-02-04\n",
		want: []string{`r10.csv:2:19: not a finite number, in column "sex": "m"`, `where the column holds texts`}},
	{name: `R with NA, logicals, factors and dates, and flags`, file: "r10.csv", outcome: "read",
		flags: "--missing mean --factor-columns sex --ignore-columns seen",
		text: "\"\",\"outcome\",\"age\",\"dose\",\"smoker\",\"sex\",\"seen\"\n" +
			"\"1\",1,61,0.5,TRUE,\"m\",2024-01-30\n\"2\",0,45,1.25,FALSE,\"f\",2024-01-31\n" +
			"\"3\",1,70,NA,TRUE,\"f\",2024-02-01\n\"4\",0,38,2,TRUE,\"m\",2024-02-02\n" +
			"\"5\",1,66,1e-05,FALSE,\"m\",2024-02-03\n\"6\",0,52,3,NA,\"f\",2024-02-04\n",
		want: []string{
			`label "outcome", no queries, id "1", factor "sex" of 2 levels, "dose": 1 value missing, mean, `,
			`"smoker": 1 value missing, mean, ignored "seen", 5 features`,
		}},
	{name: `R with names of rows`, file: "r11.csv", outcome: "read",
		text: "\"\",\"outcome\",\"age\",\"dose\"\n\"p1\",1,61,0.5\n\"p2\",0,45,1.25\n\"p3\",1,70,0.75\n" +
			"\"p4\",0,38,2\n\"p5\",1,66,1.5\n\"p6\",0,52,3\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `R, sorted by age`, file: "r12.csv", outcome: "said",
		text: "\"\",\"outcome\",\"age\",\"dose\"\n\"4\",0,38,2\n\"2\",0,45,1.25\n\"6\",0,52,3\n" +
			"\"1\",1,61,0.5\n\"5\",1,66,1.5\n\"3\",1,70,0.75\n",
		want: []string{
			`label "outcome", no queries, id "1", 2 features`,
			`warning: feature 1 ("age") is whole-numbered and ascends throughout`,
		}},
	{name: `R with Inf and NaN`, file: "r13.csv", outcome: "refused",
		text: "\"outcome\",\"age\",\"dose\",\"v\"\n1,61,0.5,1\n0,45,1.25,Inf\n1,70,0.75,-Inf\n0,38,2,NA\n" +
			"1,66,1.5,2\n0,52,3,3\n",
		want: []string{`r13.csv:3:11: not a finite number: "Inf"`, `write NA`}},
	{name: `R with the same names twice`, file: "r14.csv", outcome: "said",
		text: "\"outcome\",\"age\",\"dose\",\"age\",\"dose\"\n1,61,0.5,61,0.5\n0,45,1.25,45,1.25\n" +
			"1,70,0.75,70,0.75\n0,38,2,38,2\n1,66,1.5,66,1.5\n0,52,3,52,3\n",
		want: []string{
			`label "outcome", no queries, 4 features`,
			`warning: features 1 ("age"), 2 ("dose"), 3 ("age"), 4 ("dose") have the same names`,
		}},
	{name: `R of a transposed matrix`, file: "r15.csv", outcome: "refused",
		text: "\"\",\"s1\",\"s2\",\"s3\",\"s4\",\"s5\",\"s6\"\n\"outcome\",1,0,1,0,1,0\n" +
			"\"age\",61,45,70,38,66,52\n\"dose\",0.5,1.25,0.75,2,1.5,3\n",
		want: []string{`r15.csv:1:1: no column has a name of labels`, `--label-column COLUMN names the labels`}},
	{name: `R of a transposed matrix, and the flag`, file: "r15.csv", outcome: "read",
		flags: "--transpose",
		text: "\"\",\"s1\",\"s2\",\"s3\",\"s4\",\"s5\",\"s6\"\n\"outcome\",1,0,1,0,1,0\n" +
			"\"age\",61,45,70,38,66,52\n\"dose\",0.5,1.25,0.75,2,1.5,3\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `R with yes and no`, file: "r16.csv", outcome: "refused",
		text: "\"\",\"outcome\",\"age\",\"dose\"\n\"1\",\"yes\",61,0.5\n\"2\",\"no\",45,1.25\n" +
			"\"3\",\"yes\",70,0.75\n\"4\",\"no\",38,2\n\"5\",\"yes\",66,1.5\n\"6\",\"no\",52,3\n",
		want: []string{
			`r16.csv: the labels in column "outcome" are "no" (3), "yes" (3): which one is the positive label is not said`,
			`--positive no or --positive yes says which text counts as 1`,
		}},
	{name: `R with yes and no, and the flag`, file: "r16.csv", outcome: "read",
		flags: "--positive yes",
		text: "\"\",\"outcome\",\"age\",\"dose\"\n\"1\",\"yes\",61,0.5\n\"2\",\"no\",45,1.25\n" +
			"\"3\",\"yes\",70,0.75\n\"4\",\"no\",38,2\n\"5\",\"yes\",66,1.5\n\"6\",\"no\",52,3\n",
		want: []string{`label "outcome" ("yes" is 1, "no" is 0), no queries, id "1", 2 features`}},
	{name: `pandas to_csv`, file: "p01.csv", outcome: "read",
		text: ",outcome,age,dose\n0,1,61,0.5\n1,0,45,1.25\n2,1,70,0.75\n3,0,38,2.0\n4,1,66,1.5\n5,0,52,3.0\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `pandas index=False`, file: "p02.csv", outcome: "read",
		text: "outcome,age,dose\n1,61,0.5\n0,45,1.25\n1,70,0.75\n0,38,2.0\n1,66,1.5\n0,52,3.0\n",
		want: []string{`label "outcome", no queries, 2 features`}},
	{name: `pandas with a named index`, file: "p03.csv", outcome: "read",
		text: "patient,outcome,age,dose\nu,1,61,0.5\nv,0,45,1.25\nw,1,70,0.75\nx,0,38,2.0\ny,1,66,1.5\n" +
			"z,0,52,3.0\n",
		want: []string{`label "outcome", no queries, id "patient", 2 features`}},
	{name: `pandas MultiIndex without names`, file: "p04.csv", outcome: "refused",
		text: ",,outcome,age,dose\na,1,1,61,0.5\na,2,0,45,1.25\na,3,1,70,0.75\nb,1,0,38,2.0\nb,2,1,66,1.5\n" +
			"b,3,0,52,3.0\n",
		want: []string{
			`p04.csv:1:2: column 2 has no name, like an index that R or pandas wrote`,
			`--ignore-columns NUMBER leaves it out`,
		}},
	{name: `pandas MultiIndex with names`, file: "p05.csv", outcome: "refused",
		text: "site,visit,outcome,age,dose\na,1,1,61,0.5\na,2,0,45,1.25\na,3,1,70,0.75\nb,1,0,38,2.0\n" +
			"b,2,1,66,1.5\nb,3,0,52,3.0\n",
		want: []string{`p05.csv:2:1: not a finite number, in column "site": "a"`, `where the column holds texts`}},
	{name: `pandas concat, whose index repeats`, file: "p06.csv", outcome: "refused",
		text: ",outcome,age,dose\n0,1,61,0.5\n1,0,45,1.25\n2,1,70,0.75\n0,1,61,0.5\n1,0,45,1.25\n2,1,70,0.75\n",
		want: []string{
			`p06.csv:1:1: column 1 has no name, and names no rows: rows 1 and 4 have "0"`,
			`--ignore-columns NUMBER leaves it out`,
		}},
	{name: `pandas filtered, whose index has gaps`, file: "p07.csv", outcome: "read",
		text: ",outcome,age,dose\n0,1,61,0.5\n2,1,70,0.75\n4,1,66,1.5\n5,0,52,3.0\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `pandas reset_index`, file: "p08.csv", outcome: "said", id: "index",
		text: "index,outcome,age,dose\n0,1,61,0.5\n1,0,45,1.25\n2,1,70,0.75\n3,0,38,2.0\n4,1,66,1.5\n" +
			"5,0,52,3.0\n",
		want: []string{
			`label "outcome", no queries, 3 features`,
			`warning: feature 1 ("index") is whole-numbered and ascends throughout`,
		}},
	{name: `pandas, written twice with an index`, file: "p09.csv", outcome: "refused",
		text: ",Unnamed: 0,outcome,age,dose\n0,0,1,61,0.5\n1,1,0,45,1.25\n2,2,1,70,0.75\n3,3,0,38,2.0\n" +
			"4,4,1,66,1.5\n5,5,0,52,3.0\n",
		want: []string{
			`p09.csv:1:2: column 2 has no name, like an index that R or pandas wrote: "Unnamed: 0"`,
			`--ignore-columns NUMBER leaves it out`,
		}},
	{name: `pandas, an index read as a column`, file: "p10.csv", outcome: "read",
		text: "Unnamed: 0,outcome,age,dose\n0,1,61,0.5\n1,0,45,1.25\n2,1,70,0.75\n3,0,38,2.0\n4,1,66,1.5\n" +
			"5,0,52,3.0\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `pandas with booleans`, file: "p11.csv", outcome: "read",
		text: "outcome,age,dose,smoker\n1,61,0.5,True\n0,45,1.25,False\n1,70,0.75,True\n0,38,2.0,False\n" +
			"1,66,1.5,True\n0,52,3.0,False\n",
		want: []string{`label "outcome", no queries, 3 features`}},
	{name: `pandas with NaN`, file: "p12.csv", outcome: "refused",
		text: "outcome,age,dose\n1,61,0.5\n0,45,\n1,70,0.75\n0,38,\n1,66,1.5\n0,52,3.0\n",
		want: []string{`p12.csv:3:6: the value is missing`, `--missing mean fills in missing values of features`}},
	{name: `pandas with NaN, and the flag`, file: "p12.csv", outcome: "read",
		flags: "--missing mean",
		text:  "outcome,age,dose\n1,61,0.5\n0,45,\n1,70,0.75\n0,38,\n1,66,1.5\n0,52,3.0\n",
		want:  []string{`label "outcome", no queries, "dose": 2 values missing, mean, 2 features`}},
	{name: `pandas na_rep=NaN`, file: "p13.csv", outcome: "refused",
		text: "outcome,age,dose\n1,61,0.5\n0,45,NaN\n1,70,0.75\n0,38,NaN\n1,66,1.5\n0,52,3.0\n",
		want: []string{
			`p13.csv:3:6: the value is missing: "NaN"`,
			`--missing mean fills in missing values of features`,
		}},
	{name: `pandas sep=; decimal=,`, file: "p14.csv", outcome: "read",
		text: "outcome;age;dose\n1;61;0,5\n0;45;1,25\n1;70;0,75\n0;38;2,0\n1;66;1,5\n0;52;3,0\n",
		want: []string{`label "outcome", no queries, decimal commas, 2 features`}},
	{name: `pandas QUOTE_ALL`, file: "p15.csv", outcome: "read",
		text: "\"outcome\",\"age\",\"dose\"\n\"1\",\"61\",\"0.5\"\n\"0\",\"45\",\"1.25\"\n" +
			"\"1\",\"70\",\"0.75\"\n\"0\",\"38\",\"2.0\"\n\"1\",\"66\",\"1.5\"\n\"0\",\"52\",\"3.0\"\n",
		want: []string{`label "outcome", no queries, 2 features`}},
	{name: `pandas utf-8-sig`, file: "p16.csv", outcome: "read",
		text: "\ufeffoutcome,age,dose\n1,61,0.5\n0,45,1.25\n1,70,0.75\n0,38,2.0\n1,66,1.5\n0,52,3.0\n",
		want: []string{`label "outcome", no queries, 2 features`}},
	{name: `pandas utf-16`, file: "p17.csv", outcome: "refused",
		text: "\xff\xfeo\x00u\x00t\x00c\x00o\x00m\x00e\x00,\x00a\x00g\x00e\x00,\x00d\x00o\x00s\x00e\x00\n" +
			"\x001\x00,\x006\x001\x00,\x000\x00.\x005\x00\n" +
			"\x000\x00,\x004\x005\x00,\x001\x00.\x002\x005\x00\n" +
			"\x001\x00,\x007\x000\x00,\x000\x00.\x007\x005\x00\n" +
			"\x000\x00,\x003\x008\x00,\x002\x00.\x000\x00\n\x001\x00,\x006\x006\x00,\x001\x00.\x005\x00\n" +
			"\x000\x00,\x005\x002\x00,\x003\x00.\x000\x00\n\x00",
		want: []string{`p17.csv: the text is UTF-16, not UTF-8`, `save the table as CSV in UTF-8`}},
	{name: `pandas header=False`, file: "p18.csv", outcome: "refused",
		text: "1,61,0.5\n0,45,1.25\n1,70,0.75\n0,38,2.0\n1,66,1.5\n0,52,3.0\n",
		want: []string{
			`p18.csv:1:1: there is no header that names the labels: columns 1 … 3 begin with "1", "61", "0.5"`,
			`--label-column COLUMN names the labels`,
		}},
	{name: `pandas with dates`, file: "p19.csv", outcome: "refused",
		text: "outcome,age,dose,seen\n1,61,0.5,2024-01-30\n0,45,1.25,2024-01-31\n1,70,0.75,2024-02-01\n" +
			"0,38,2.0,2024-02-02\n1,66,1.5,2024-02-03\n0,52,3.0,2024-02-04\n",
		want: []string{`p19.csv:2:10: a date, not a number, in column "seen": "2024-01-30"`, `give numbers`}},
	{name: `pandas with two lines of names`, file: "p20.csv", outcome: "refused",
		text: ",y,x,x\n,outcome,age,dose\n0,1,61,0.5\n1,0,45,1.25\n2,1,70,0.75\n3,0,38,2.0\n4,1,66,1.5\n" +
			"5,0,52,3.0\n",
		want: []string{`p20.csv:2:10: not a finite number, in column "x": "age"`, `where the column holds texts`}},
	{name: `pandas decimal=, between commas`, file: "p21.csv", outcome: "refused",
		text: "outcome,age,dose\n1,61,\"0,5\"\n0,45,\"1,25\"\n1,70,\"0,75\"\n0,38,\"2,0\"\n1,66,\"1,5\"\n" +
			"0,52,\"3,0\"\n",
		want: []string{`p21.csv:2:6: a number with a decimal comma, in column "dose": "0,5"`, `write plain numbers`}},
	{name: `pandas with categories`, file: "p22.csv", outcome: "refused",
		text: "outcome,age,dose,sex\n1,61,0.5,m\n0,45,1.25,f\n1,70,0.75,f\n0,38,2.0,m\n1,66,1.5,m\n0,52,3.0,f\n",
		want: []string{`p22.csv:2:10: not a finite number, in column "sex": "m"`, `where the column holds texts`}},
	{name: `pandas sep=tab`, file: "p23.tsv", outcome: "read",
		text: "\toutcome\tage\tdose\n0\t1\t61\t0.5\n1\t0\t45\t1.25\n2\t1\t70\t0.75\n3\t0\t38\t2.0\n" +
			"4\t1\t66\t1.5\n5\t0\t52\t3.0\n",
		want: []string{`label "outcome", no queries, id "1", 2 features`}},
	{name: `pandas with CRLF`, file: "p24.csv", outcome: "read",
		text: "outcome,age,dose\r\n1,61,0.5\r\n0,45,1.25\r\n1,70,0.75\r\n0,38,2.0\r\n1,66,1.5\r\n0,52,3.0\r\n",
		want: []string{`label "outcome", no queries, 2 features`}},
	{name: `pandas with patient numbers`, file: "p25.csv", outcome: "said", id: "patient_no",
		text: "outcome,age,dose,patient_no\n1,61,0.5,1003\n0,45,1.25,1001\n1,70,0.75,1007\n0,38,2.0,1002\n" +
			"1,66,1.5,1010\n0,52,3.0,1004\n",
		want: []string{
			`label "outcome", no queries, 3 features`,
			`warning: feature 3 ("patient_no") has another whole number in each row, and a name like an id`,
		}},
}
