package guess

// Words of names that say what a column may be, in the singular. They are weak evidence beside what the column holds.
const (
	labelWords = "label target relevance relevant rel grade graded rating rated rate judged judgment judgement outcome " +
		"result response score point click clicked booked booking bought purchased purchase ordered converted " +
		"conversion sold won win winner success died dead death deceased survived survival event status readmitted " +
		"readmission discharge churn churned default defaulted diagnosis disease diseased cancer tumor tumour tissue " +
		"class positive case escalated passed failed failure fraud spam pain price preis sales y affinity pkd ic50 " +
		"yield relapse relapsed preferred satisfaction mortality quality zielwert ergebnis"
	// inputs are of columns that are seldom labels.
	inputWords = "sex gender age arm treatment dose group year month day date country region site city weight height " +
		"bmi smoking smoker position rank page visit size length count"
	queryWords = "query search session topic question request qid impression basket race auction prompt phrase keyword " +
		"srch list anfrage suche"
	subjectWords = "patient person subject participant animal mouse donor student user customer client household family " +
		"plot respondent proband tier player driver author child twin"
	timeWords   = "time day week month duration survival follow followup fu os pfs dfs tenure lifetime until futime"
	eventWords  = "died death dead deceased event status relapse relapsed failed failure churned observed progression"
	systemWords = "system model engine method algorithm bot agent team player competitor learner configuration"
	judgeWords  = "winner preferred preference choice chosen better best pick picked vote verdict won sieger"
	// yes and no are of texts that count as 1 and as 0.
	yesWords = "yes y true t 1 positive pos case died dead death deceased event readmitted tumor tumour cancer disease " +
		"diseased sick ill won win success converted clicked booked bought churned relapse failed fail spam fraud " +
		"high ja"
	noWords = "no n false f 0 negative neg control alive survived none normal healthy home lost loss benign ham low " +
		"nein censored"
)
