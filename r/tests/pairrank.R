# Needs the program: PAIRRANK_PROGRAM, or pairrank on the PATH. Without it the tests say so and end.
library(pairrank)

# refused returns the error of an expression.
refused <- function(expression) {
  e <- tryCatch(force(expression), error = identity)
  if (!inherits(e, "error")) stop("it was not refused: ", deparse1(substitute(expression)))
  e
}
says <- function(condition, text) {
  if (!grepl(text, conditionMessage(condition), fixed = TRUE)) stop(conditionMessage(condition), "\ndoes not say ", text)
}
quiet <- function(expression) suppressWarnings(suppressMessages(expression))
scored <- function(...) quiet(predict(...))

says(refused(withr <- local({
  old <- options(pairrank.program = "/nowhere/pairrank")
  on.exit(options(old))
  pairrank(breaks ~ tension, warpbreaks)
})), "there is no program pairrank at /nowhere/pairrank")

if (!nzchar(Sys.getenv("PAIRRANK_PROGRAM")) && !nzchar(Sys.which("pairrank"))) {
  message("the program pairrank is not here: the other tests are left out")
  quit("no")
}

# Least squares over the pairs of queries, by its normal equations.
oracle <- function(X, y, query, lambda) {
  L <- outer(query, query, "==") * -1
  diag(L) <- 0
  diag(L) <- -rowSums(L)
  X %*% solve(t(X) %*% L %*% X + lambda * diag(ncol(X)), t(X) %*% L %*% y)
}
set.seed(1)
d <- data.frame(grade = sample(0:3, 60, TRUE), a = rnorm(60), b = runif(60), q = rep(c("x", "y, \"z\"", "\u00fc"), 20))
want <- oracle(cbind(d$a, d$b), d$grade, d$q, 2)
m <- quiet(pairrank(grade ~ a + b | q, d, lambda = 2))
stopifnot(inherits(m, "pairrank"), is.raw(m$model), m$lambda == 2, m$training$queries == 3)
stopifnot(all.equal(unname(scored(m, d)), c(want), tolerance = 1e-10))
# By names it is the same model, and the order of columns does not matter, nor do others.
named <- quiet(pairrank(d, label = "grade", query = "q", lambda = 2))
stopifnot(identical(scored(named, d[4:1]), scored(m, d)))
stopifnot(identical(scored(named, d[c("b", "a")]), scored(m, d)))
says(refused(scored(m, d["a"])), "object 'b' not found")
says(refused(scored(named, d["a"])), "\"b\"")
# It outlives the session.
file <- tempfile()
saveRDS(m, file)
stopifnot(identical(scored(readRDS(file), d), scored(m, d)))

# Terms are computed, also for new rows; interactions and offsets are refused.
d$e <- exp(d$a)
stopifnot(all.equal(scored(quiet(pairrank(grade ~ log(e) + b | q, d, lambda = 2)), d), scored(m, d), tolerance = 1e-9))
stopifnot(all.equal(scored(quiet(pairrank(grade ~ . - e | q, d, lambda = 2)), d), scored(m, d)))
says(refused(pairrank(grade ~ a * b, d)), "no interactions")
says(refused(pairrank(grade ~ a + offset(b), d)), "no offset")
says(refused(pairrank(~a, d)), "label ~ features")
says(refused(pairrank(grade ~ a | q, d, query = "q")), "both say the query")
says(refused(pairrank(d, label = "nope")), "data has no column \"nope\"")

# A feature with the name of a role is a feature where a formula names it.
named <- setNames(d[c("grade", "a", "b")], c("grade", "qid", "id"))
stopifnot(quiet(pairrank(grade ~ qid + id, named, lambda = 1))$training$features == 2)

# Factors, logical values, row names, texts that are special.
f <- data.frame(y = c(TRUE, FALSE, TRUE, FALSE, TRUE, FALSE), flag = c(TRUE, TRUE, FALSE, FALSE, TRUE, FALSE),
  `kind, "of"` = factor(c("a,b", "c\"d", "a,b", "\u00e9", "c\"d", "\u00e9")), x = 1:6, check.names = FALSE,
  row.names = c("P 1", "P,2", "P\"3", "P4", "P5", "P6"))
m <- quiet(pairrank(y ~ ., f, lambda = 1))
stopifnot(m$training$features == 5, identical(names(scored(m, f)), row.names(f)))
one <- cbind(f$flag, f[[3]] == "a,b", f[[3]] == "c\"d", f[[3]] == "\u00e9", f$x) * 1
want <- oracle(one, f$y, rep(1, 6), 1)
got <- scored(m, f)
stopifnot(all.equal(unname(got - mean(got)), c(want - mean(want)), tolerance = 1e-9))
says(refused(quiet(pairrank(y ~ ., transform(f[c("y", "x")], t = letters[1:6])))), "factor() makes features")
says(refused(pairrank(y ~ x, transform(f, x = Sys.Date()))), "dates or times")
says(refused(quiet(pairrank(y ~ x, transform(f, x = replace(x, 2, NA))))), "missing")
stopifnot(quiet(pairrank(y ~ x, transform(f, x = replace(x, 2, NA)), missing = "mean"))$training$rows == 6)

# Labels of two texts, of order, of none.
two <- droplevels(iris[51:150, ])
up <- scored(quiet(pairrank(Species ~ ., two, lambda = 1)), two)
down <- scored(quiet(pairrank(Species ~ ., two, lambda = 1, positive = "versicolor")), two)
stopifnot(all.equal(up, -down), mean(up[51:100]) > mean(up[1:50]))
says(refused(pairrank(Species ~ ., iris)), "ordered(Species")
three <- transform(iris, Species = ordered(Species))
stopifnot(all.equal(scored(quiet(pairrank(Species ~ ., three, lambda = 1)), iris),
  scored(quiet(pairrank(Species ~ ., transform(iris, Species = as.integer(Species)), lambda = 1)), iris)))

# Estimates: the held-out score of a query is that of a model without it.
e <- quiet(cv(grade ~ a + b | q, d, lambda = 2, held.out = TRUE))
without <- scored(quiet(pairrank(grade ~ a + b | q, d[d$q != "x", ], lambda = 2)), d[d$q == "x", ])
stopifnot(all.equal(e$held_out$score[d$q == "x"], unname(without), tolerance = 1e-9))
stopifnot(is.data.frame(e$results), e$kind == "estimate")
e <- quiet(cv(Species ~ Sepal.Width, two, nested = TRUE, held.out = TRUE, roc = TRUE, method = "lpo"))
stopifnot(length(e$nested$ci95) == 2, identical(names(e$held_out), c("i", "j", "f_i", "f_j")), is.data.frame(e$roc$points))

# Weights and censored times, where the program learns from them: whole weights are rows that are there so often.
w <- rep(1:3, 20)
weighted <- tryCatch(quiet(pairrank(grade ~ a + b, transform(d, w = w), weights = "w", lambda = 2)),
  pairrank_error = function(e) stopifnot(e$code == 2))
if (is.list(weighted)) {
  stopifnot(all.equal(scored(weighted, d), scored(quiet(pairrank(grade ~ a + b, d[rep(1:60, w), ], lambda = 2)), d)))
}
seen <- data.frame(months = c(2, 3, 3, 4, 5, 6, 7, 8, 9, 9), died = rep(c(2, 2, 1, 2, 1), 2), marker = c(1:5, 2:6))
timed <- tryCatch(quiet(pairrank(Surv(months, died) ~ marker, seen, lambda = 2)),
  pairrank_error = function(e) stopifnot(e$code == 2))
if (is.list(timed)) stopifnot(timed$training$rows == 10, scored(timed, seen)[10] > scored(timed, seen)[1])

# Rankings by their names; gates.
m <- quiet(pairrank(grade ~ a + b | q, d))
found <- quiet(compare(list(new = m, old = d$b), grade ~ a + b | q, d, metrics = "concordance"))
stopifnot(identical(found$rankings$file, c("new", "old")), nrow(found$comparisons) == 1)
says(refused(compare(list(m, m), grade ~ a + b | q, d)), "with names")
says(refused(quiet(compare(list(new = m, old = 1:3), grade ~ a + b | q, d))), "old")
gate <- refused(quiet(compare(list(new = d$b, old = d$a), grade ~ a + b | q, d, metrics = "concordance",
  fail.worse = c(new = 1e-9))))
stopifnot(inherits(gate, "pairrank_error"), gate$code %in% c(4, 7), gate$document$kind == "comparison")
times <- data.frame(months = c(2, 3, 3, 4, 5, 6, 7, 8, 9, 9), died = c(2, 2, 1, 2, 2, 1, 2, 2, 1, 1),
  marker = c(1, 1.5, 2.5, 3, 2, 2, 4, 5.5, 4.5, 5))
found <- quiet(compare(list(a = times$marker, b = 1:10), Surv(months, died) ~ marker, times, metrics = "c-index"))
stopifnot(isTRUE(all.equal(28.5 / 33, found$times$values$value[1])))

games <- data.frame(left = c("ada", "bob", "ada", "cal"), right = c("bob", "cal", "cal", "ada"),
  winner = factor(c("ada", "bob", "ada", "cal")))
board <- quiet(leaderboard(games))
stopifnot(is.data.frame(board$items), board$items$id[1] == "ada")
scores <- expand.grid(item = letters[1:8], system = c("old", "new"))
scores$score <- rep(1:8, 2) / 10 + ifelse(scores$system == "new", 0.1 + (1:8) / 1000, 0)
board <- quiet(leaderboard(scores, fail.unless = "new beats old"))
stopifnot(board$gates$verdict == "passed", board$items$id == c("new", "old"))
stopifnot(refused(quiet(leaderboard(scores, fail.unless = "old beats new")))$code == 4)

# Pages; options that are wrong; notes and warnings.
page <- tempfile(fileext = ".html")
report(list(m, board), page)
stopifnot(any(grepl("</html>", readLines(page, warn = FALSE))))
quiet(report(m, page, data = d[c("grade", "q", "a", "b")], label.column = "grade", qid.column = "q"))
says(refused(report(1, page)), "report shows")
wrong <- refused(pairrank(grade ~ a, d, nosuch = 1))
says(wrong, "unknown flag: --nosuch")
stopifnot(inherits(wrong, "pairrank_error"), wrong$code == 2)
says(refused(pairrank(grade ~ a, d, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3)), "has a name")
told <- tryCatch(pairrank(grade ~ a | q, d, lambda = 1), message = identity)
says(told, "data.csv: columns: label \"grade\", query \"q\"")
told <- tryCatch(suppressMessages(leaderboard(scores[scores$item %in% c("a", "b", "c"), ])), warning = identity)
says(told, "items")
invisible(utils::capture.output(print(m), print(board), print(e)))
