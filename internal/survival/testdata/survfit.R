# Writes survfit.tsv, a line for each of 200 problems with ties of times: the time and event of its rows, then for each
# time of an event: time, number at risk, survival, its standard error, and the interval on the scale of log(-log S).
# Rscript survfit.R > survfit.tsv
library(survival)
set.seed(45)
for (k in 1:200) {
  n <- sample(3:24, 1)
  time <- sample(1:sample(c(3, 8, 40), 1), n, TRUE)
  event <- as.numeric(runif(n) < sample(c(.3, .5, .8, 1), 1))
  if (sum(event) == 0) event[1] <- 1
  f <- survfit(Surv(time, event) ~ 1, conf.type = "log-log")
  some <- f$n.event > 0
  steps <- sprintf("%g,%g,%.17g,%.17g,%.17g,%.17g", f$time, f$n.risk, f$surv, f$surv * f$std.err, f$lower, f$upper)
  cat(paste(time, collapse = ","), paste(event, collapse = ","), steps[some], sep = "\t")
  cat("\n")
}
