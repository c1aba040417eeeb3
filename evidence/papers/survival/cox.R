# Cox models of R within the ten folds of the page: survival's coxph, and ridge by glmnet, whose lambda ten folds of the
# training rows choose by the partial likelihood. For each data set, model and fold it prints the comparable pairs of the
# fold and how many the risk orders rightly, tied risks counting one half, by survival's concordance.
#
#     Rscript cox.R DATA > cox.tsv
#
# DATA has the four files. R 4.2.2, survival 3.5-3 and glmnet 4.1-6 (Debian 12) made the file. Nothing is random.
suppressPackageStartupMessages({ library(survival); library(glmnet) })

folder <- commandArgs(TRUE)[1]
read <- function(file) read.csv(file.path(folder, file), stringsAsFactors = FALSE)

gbsg2 <- read("gbsg2.csv")
gbsg2$tgrade <- match(gbsg2$tgrade, c("I", "II", "III"))
veteran <- read("veteran.csv")
veteran$Status <- as.numeric(veteran$Status == "dead")
metastasis <- read("gse7390_metastasis.csv.gz")
metastasis$grade <- match(metastasis$grade, c("well differentiated", "intermediate", "poorly differentiated"))
flchain <- read("flchain.csv.gz")
flchain$death <- as.numeric(flchain$death == "dead")
flchain$chapter <- NULL # the cause of death

sets <- list(
  gbsg2 = list(gbsg2, "time", "cens"), veteran = list(veteran, "Survival_in_days", "Status"),
  gse7390_metastasis = list(metastasis, "t.tdm", "e.tdm"), flchain = list(flchain, "futime", "death"))

# features are numbers: texts become one column a level but the first, missing values the mean of the training rows.
features <- function(d, train) {
  for (name in names(d)) {
    missing <- is.na(d[[name]])
    if (any(missing)) d[[name]][missing] <- mean(d[[name]][train & !missing])
  }
  model.matrix(~ ., d)[, -1, drop = FALSE]
}

risks <- list(
  cox = function(x, time, event, test) {
    fit <- suppressWarnings(coxph(Surv(time, event) ~ x))
    weights <- coef(fit)
    weights[is.na(weights)] <- 0
    list(drop(test %*% weights), NA)
  },
  ridge = function(x, time, event, test) {
    # glmnet takes no time of 0; the partial likelihood depends on the order of the times alone.
    fit <- cv.glmnet(x, Surv(time + 1, event), family = "cox", alpha = 0, foldid = rep_len(1:10, nrow(x)))
    list(drop(predict(fit, test, s = "lambda.min")), fit$lambda.min)
  })

cat("set\tmodel\tfold\tpairs\tright\tlambda\n")
for (name in names(sets)) {
  d <- sets[[name]][[1]]
  time <- d[[sets[[name]][[2]]]]
  event <- d[[sets[[name]][[3]]]]
  d <- d[, !names(d) %in% unlist(sets[[name]][2:3])]
  fold <- (seq_len(nrow(d)) - 1) %% 10
  for (model in names(risks)) for (k in 0:9) {
    train <- fold != k
    x <- features(d, train)
    risk <- risks[[model]](x[train, ], time[train], event[train], x[!train, ])
    count <- concordance(Surv(time[!train], event[!train]) ~ risk[[1]], reverse = TRUE)$count
    right <- count[["concordant"]] + count[["tied.x"]] / 2
    cat(sprintf("%s\t%s\t%d\t%d\t%.1f\t%s\n", name, model, k, as.integer(sum(count[1:3])), right,
      if (is.na(risk[[2]])) "" else sprintf("%.6g", risk[[2]])))
  }
}
