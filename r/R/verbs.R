# The six functions.

pairrank <- function(formula, data = NULL, label = NULL, query = NULL, id = NULL, group = NULL, fold = NULL,
                     weights = NULL, time = NULL, event = NULL, ...) {
  dir <- workspace()
  on.exit(unlink(dir, recursive = TRUE))
  found <- rows("train", formula, data, list(label = label, query = query, id = id, group = group, fold = fold,
    weights = weights, time = time, event = event), list(...), dir, c("-o", file.path(dir, "model.txt")))
  training <- result(found$text)
  file <- file.path(dir, "model.txt")
  structure(list(model = readBin(file, "raw", file.size(file)), lambda = training$lambda, training = training,
    features = found$features, terms = found$terms, call = match.call()), class = "pairrank")
}

# rows runs a verb on a formula or a data frame.
rows <- function(verb, formula, data, roles, options, dir, ...) {
  roles <- roles[!vapply(roles, is.null, NA)]
  for (role in names(roles)) {
    if (!is.character(roles[[role]]) || length(roles[[role]]) != 1) {
      stop(role, " is the name of a column", call. = FALSE)
    }
  }
  found <- table_of(formula, data, roles, options)
  file <- file.path(dir, "data.csv")
  write_table(found$table, file)
  args <- c(verb, file, found$args, ..., flags(found$options, dir), "--json", "--progress=none")
  c(found, text = run(args, dir))
}

cv <- function(formula, data = NULL, label = NULL, query = NULL, id = NULL, group = NULL, fold = NULL,
               weights = NULL, time = NULL, event = NULL, held.out = FALSE, roc = FALSE, ...) {
  dir <- workspace()
  on.exit(unlink(dir, recursive = TRUE))
  held <- file.path(dir, "held.tsv")
  found <- rows("cv", formula, data, list(label = label, query = query, id = id, group = group, fold = fold,
    weights = weights, time = time, event = event), list(...), dir, if (held.out) paste0("--held-out=", held),
    if (roc) paste0("--roc=", file.path(dir, "roc.tsv")))
  if (!held.out) return(result(found$text))
  scores <- utils::read.delim(held, header = FALSE)
  pairs <- ncol(scores) == 4
  names(scores) <- if (pairs) c("i", "j", "f_i", "f_j") else make.unique(rep("score", ncol(scores)))
  result(found$text, held_out = scores)
}

predict.pairrank <- function(object, newdata, ...) {
  dir <- workspace()
  on.exit(unlink(dir, recursive = TRUE))
  if (!is.data.frame(newdata)) stop("newdata is a data frame", call. = FALSE)
  table <- if (is.null(object$terms)) {
    newdata[intersect(object$features, names(newdata))]
  } else {
    feature_table(object$terms, newdata)
  }
  file <- file.path(dir, "newdata.csv")
  write_table(table, file)
  scores <- file.path(dir, "scores.npy")
  run(c("predict", model_file(object, dir), file, "--no-label", "-o", scores, "--progress=none", flags(list(...), dir)),
    dir)
  values <- array_of(scores)
  if (length(values) == nrow(newdata)) return(setNames(values, named_rows(newdata)))
  matrix(values, nrow(newdata), byrow = TRUE, dimnames = list(named_rows(newdata), NULL))
}

# array_of reads the numbers of a file of NumPy, which has them as they are in memory.
array_of <- function(file) {
  con <- base::file(file, "rb")
  on.exit(close(con))
  readBin(con, "raw", 8)
  readBin(con, "raw", readBin(con, "integer", size = 2, signed = FALSE, endian = "little"))
  readBin(con, "double", file.size(file) / 8, endian = "little")
}

named_rows <- function(data) if (is.character(attr(data, "row.names"))) row.names(data)

# model_file writes a model into the folder dir, by a name.
model_file <- function(model, dir, name = "model.txt") {
  file <- file.path(dir, name)
  writeBin(model$model, file)
  file
}

leaderboard <- function(data, ...) {
  dir <- workspace()
  on.exit(unlink(dir, recursive = TRUE))
  if (!is.data.frame(data)) stop("data is a data frame of comparisons, or of scores of systems on items", call. = FALSE)
  file <- file.path(dir, "data.csv")
  write_table(data, file)
  result(run(c("leaderboard", file, flags(list(...), dir), "--json", "--progress=none"), dir))
}

compare <- function(rankings, formula, data = NULL, label = NULL, query = NULL, id = NULL, group = NULL,
                    weights = NULL, time = NULL, event = NULL, ...) {
  dir <- workspace()
  on.exit(unlink(dir, recursive = TRUE))
  if (is.data.frame(rankings)) rankings <- as.list(rankings)
  if (!is.list(rankings) || inherits(rankings, "pairrank") || length(rankings) < 2 || is.null(names(rankings))) {
    stop("rankings is a list of two or more models or scores with names, as in list(new = model, old = scores)",
      call. = FALSE)
  }
  if (anyDuplicated(names(rankings)) || any(!nzchar(names(rankings)) | grepl("[/\\\\=,]", names(rankings)))) {
    stop("each ranking has a name of its own, without / \\ = and commas", call. = FALSE)
  }
  fit <- Filter(function(r) inherits(r, "pairrank"), rankings)
  if (length(fit) && inherits(formula, "formula") && !identical(names(fit[[1]]$terms$expressions),
    names(table_of(formula, data, list(), list())$terms$expressions))) {
    stop("a model of rankings has other features than the formula", call. = FALSE)
  }
  # Rankings are called by their names: by those of their files, which stand in the folder that the program works in.
  args <- character()
  dir.create(file.path(dir, "rankings"))
  for (name in names(rankings)) {
    r <- rankings[[name]]
    if (inherits(r, "pairrank")) {
      model_file(r, file.path(dir, "rankings"), name)
    } else if (is.numeric(r)) {
      writeLines(texts(as.double(r)), file.path(dir, "rankings", name))
    } else {
      stop("ranking ", name, " is neither a model of pairrank nor scores", call. = FALSE)
    }
    args <- c(args, paste0("--", if (is.numeric(r)) "scores" else "model", "=", name))
  }
  options <- list(...)
  for (file in intersect(c("report", "figure"), names(options))) {
    path <- strsplit(options[[file]], "=", fixed = TRUE)[[1]]
    path[length(path)] <- file.path(normalizePath(dirname(path[length(path)])), basename(path[length(path)]))
    options[[file]] <- paste(path, collapse = "=")
  }
  before <- setwd(file.path(dir, "rankings"))
  on.exit(setwd(before), add = TRUE, after = FALSE)
  found <- rows("compare", formula, data, list(label = label, query = query, id = id, group = group, weights = weights,
    time = time, event = event), options, dir, args)
  result(found$text)
}

report <- function(x, file, data = NULL, ...) {
  dir <- workspace()
  on.exit(unlink(dir, recursive = TRUE))
  one <- inherits(x, c("pairrank", "pairrank_result"))
  if (one && inherits(x, "pairrank") && !is.null(data)) {
    table <- file.path(dir, "data.csv")
    write_table(data, table)
    run(c("report", model_file(x, dir), table, flags(list(...), dir), "-o", path.expand(file), "--progress=none"), dir)
    return(invisible(file))
  }
  documents <- vapply(if (one) list(x) else x, function(r) {
    if (inherits(r, "pairrank")) r <- r$training
    if (!inherits(r, "pairrank_result")) {
      stop("report shows models and results of cv, compare and leaderboard", call. = FALSE)
    }
    path <- tempfile("result", dir, ".json")
    writeLines(attr(r, "json"), path, useBytes = TRUE)
    path
  }, "")
  run(c("report", documents, flags(list(...), dir), "-o", path.expand(file), "--progress=none"), dir)
  invisible(file)
}
