# What models and results look like.

print.pairrank <- function(x, ...) {
  t <- x$training
  cat("pairrank model:", t$learner, if (!is.null(t$kernel)) paste0(t$kernel, ","),
    if (!is.null(t$lambda)) paste("lambda", format(t$lambda)) else paste(t$rounds, "rounds"), "\n")
  cat(t$rows, "rows,", t$features, "features,", t$queries, "queries\n")
  if (is.data.frame(t$selection)) {
    chosen <- t$selection[t$selection$lambda %in% t$lambda, ]
    if (nrow(chosen) == 1) cat("held-out error", spell(chosen), "\n")
  }
  invisible(x)
}

# spell returns an error with its standard error and interval.
spell <- function(found) {
  interval <- unlist(found$ci95)
  paste0(signif(found$error, 4), if (!is.null(found$stderr) && !is.na(found$stderr)) {
    paste0(" \u00b1 ", signif(found$stderr, 2), " over ", found$stderr_over)
  }, if (length(interval) == 2) paste0(", 95 % interval ", paste(signif(interval, 3), collapse = " to ")))
}

print.pairrank_result <- function(x, ...) {
  cat("pairrank", x$kind, "\n")
  if (!is.null(x$best)) cat("best lambda", format(x$best$lambda), "error", spell(x$best), "\n")
  if (!is.null(x$nested)) {
    cat("whole procedure: error", spell(x$nested), "\n")
    auc <- x$nested$auc
    if (!is.null(auc)) cat("AUC", signif(auc$value, 3), "95 %", paste(signif(auc$ci95, 2), collapse = " to "), "\n")
  }
  for (table in intersect(c("items", "comparisons", "gates"), names(x))) print(x[[table]], ...)
  cat("it has", paste(names(x), collapse = ", "), "\n")
  invisible(x)
}
