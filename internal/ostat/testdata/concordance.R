# Writes concordance.tsv, a line for each of 500 problems with ties of times, of scores and of both: the stratum, time,
# event and score of its rows, then by R's package survival the concordance and its standard error, and both with
# timewt = "n/G2". The second pair is NA where a stratum has one event: R does not weigh its pairs. Then a horizon, one
# of the times, and the four numbers of events until it (ymax).
# Rscript concordance.R > concordance.tsv
library(survival)
set.seed(44)
both <- function(a) c(a$concordance, sqrt(a$var))
show <- function(x) paste(format(x, digits = 17, trim = TRUE, scientific = FALSE), collapse = ",")
k <- 0
while (k < 500) {
  n <- sample(3:24, 1)
  s <- if (k %% 3 == 0) sample(1:3, n, TRUE) else rep(1, n)
  d <- data.frame(s = s, time = sample(1:sample(c(3, 8, 40), 1), n, TRUE),
                  event = as.numeric(runif(n) < sample(c(.2, .5, .8, 1), 1)),
                  score = sample(1:sample(c(2, 6, 60), 1), n, TRUE))
  if (sum(d$event) == 0) next
  f <- if (length(unique(s)) > 1) Surv(time, event) ~ score + strata(s) else Surv(time, event) ~ score
  a <- concordance(f, d)
  if (!is.finite(a$concordance)) next
  b <- if (any(tapply(d$event, d$s, sum) == 1)) c(NA, NA) else both(concordance(f, d, timewt = "n/G2"))
  at <- sort(d$time[d$event == 1])
  at <- at[1 + (7 * k) %% length(at)]  # draws nothing
  until <- both(concordance(f, d, ymax = at))
  until <- c(until, if (any(is.na(b))) b else both(concordance(f, d, timewt = "n/G2", ymax = at)))
  cat(show(d$s), show(d$time), show(d$event), show(d$score),
      sprintf("%.17g", c(both(a), b, at, until)), sep = "\t")
  cat("\n")
  k <- k + 1
}
