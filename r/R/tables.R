# Data frames and formulas become tables of the program.

# write_table writes a data frame as CSV in UTF-8. Numbers keep all their digits, TRUE is 1, and NA an empty cell.
write_table <- function(data, file) {
  quoted <- function(text) paste0("\"", gsub("\"", "\"\"", enc2utf8(text), fixed = TRUE), "\"")
  cells <- lapply(names(data), function(name) {
    column <- data[[name]]
    if (inherits(column, c("Date", "POSIXt", "difftime"))) {
      stop("column \"", name, "\" has dates or times: give numbers, such as days since the first one", call. = FALSE)
    }
    if (is.logical(column)) column <- as.integer(column)
    if (is.factor(column)) column <- as.character(column)
    if (!is.null(dim(column)) || !(is.numeric(column) || is.character(column))) {
      stop("column \"", name, "\" is neither of numbers nor of texts", call. = FALSE)
    }
    ifelse(is.na(column), "", if (is.character(column)) quoted(column) else texts(column))
  })
  lines <- c(paste(quoted(names(data)), collapse = ","), do.call(paste, c(cells, list(sep = ","))))
  con <- base::file(file, "wb")
  on.exit(close(con))
  writeLines(enc2utf8(lines), con, useBytes = TRUE)
}

# table_of returns the table of a formula, or of a data frame and names, with the flags that say what its columns are,
# and what prediction needs to know of the features.
table_of <- function(formula, data, roles, options) {
  if (is.data.frame(formula)) {
    if (!is.null(data)) stop("give a formula and data, or a data frame alone", call. = FALSE)
    data <- formula
    formula <- NULL
  }
  if (!is.data.frame(data)) stop("data is a data frame", call. = FALSE)
  args <- character()
  if (!is.null(formula)) {
    found <- of_formula(formula, data, roles)
    roles <- found$roles
    args <- found$args
  } else {
    found <- list(table = data, terms = NULL)
  }
  table <- found$table
  for (name in setdiff(unlist(roles), names(table))) stop("data has no column \"", name, "\"", call. = FALSE)
  features <- setdiff(names(table), unlist(roles))
  if (is.null(roles$id) && is.character(attr(table, "row.names"))) {
    roles$id <- unused("row", table)
    table[[roles$id]] <- row.names(table)
  }
  if (!is.null(roles$label)) {
    label <- labels_of(table[[roles$label]], roles$label)
    table[[roles$label]] <- label$values
    if (is.null(options$positive)) options$positive <- label$positive
  }
  if (!is.null(roles$event)) table[[roles$event]] <- event_of(table[[roles$event]])
  flag <- c(label = "label", query = "qid", id = "id", group = "group", fold = "fold", weights = "weight")
  for (role in names(flag)) {
    if (!is.null(roles[[role]])) args <- c(args, paste0("--", flag[[role]], "-column=", roles[[role]]))
  }
  for (role in c("time", "event")) {
    if (!is.null(roles[[role]])) args <- c(args, paste0("--", role, "=", roles[[role]]))
  }
  factors <- features[vapply(table[features], is.factor, NA)]
  if (length(factors)) args <- c(args, paste0("--factor-columns=", listed(factors)))
  list(table = table, args = args, options = options, features = features, terms = found$terms)
}

# listed joins names of columns as the program reads them in a list.
listed <- function(names) {
  special <- grepl("[,:*?\"]", names)
  names[special] <- paste0("\"", gsub("\"", "\"\"", names[special], fixed = TRUE), "\"")
  paste(names, collapse = ",")
}

# unused returns a name that no column has.
unused <- function(name, table) utils::tail(make.unique(c(names(table), name)), 1)

# of_formula evaluates a formula: label ~ features | query, or Surv(time, event) ~ features | stratum.
of_formula <- function(formula, data, roles) {
  if (!inherits(formula, "formula") || length(formula) != 3) {
    stop("a formula has the form label ~ features, or label ~ features | query", call. = FALSE)
  }
  env <- environment(formula)
  value <- function(expression, what) {
    found <- eval(expression, data, env)
    if (length(found) != nrow(data)) {
      stop("the ", what, " ", deparse1(expression), " has ", length(found), " values, and data ", nrow(data), " rows",
        call. = FALSE)
    }
    found
  }
  left <- formula[[2]]
  right <- formula[[3]]
  table <- data[0]
  add <- function(role, expression) {
    if (!is.null(roles[[role]])) stop("the formula and the argument ", role, " both say the ", role, call. = FALSE)
    roles[[role]] <<- deparse1(expression)
    if (is.name(expression)) roles[[role]] <<- as.character(expression)
    table[[roles[[role]]]] <<- value(expression, role)
  }
  if (is.call(right) && identical(right[[1]], as.name("|"))) {
    add("query", right[[3]])
    right <- right[[2]]
  }
  survival <- is.call(left) && deparse1(left[[1]]) %in% c("Surv", "survival::Surv")
  if (survival && length(left) != 3) stop("Surv has a time and an event: Surv(time, event)", call. = FALSE)
  if (survival) {
    add("time", left[[2]])
    add("event", left[[3]])
  } else {
    add("label", left)
  }
  for (name in setdiff(unlist(roles), names(table))) table[[name]] <- data[[name]]
  dots <- "." %in% all.vars(right)
  used <- c(unlist(roles), all.vars(left), if (!is.null(roles$query)) all.vars(formula[[3]][[3]]))
  parts <- terms(eval(call("~", right)), data = data[setdiff(names(data), used)])
  if (any(attr(parts, "order") > 1)) {
    stop("a formula has no interactions: make a column of their products", call. = FALSE)
  }
  if (!is.null(attr(parts, "offset"))) stop("a ranking has no offset", call. = FALSE)
  parts <- features_of(attr(parts, "term.labels"), env)
  features <- feature_table(parts, data)
  double <- intersect(names(features), names(table))
  if (length(double)) stop("column \"", double[1], "\" is on both sides of the formula", call. = FALSE)
  list(table = cbind(table, features), roles = roles, terms = parts,
    args = if (!dots && length(features)) paste0("--feature-columns=", listed(names(features))))
}

# features_of returns the expressions of features, by the names of their columns, and where they are evaluated.
features_of <- function(labels, env) {
  expressions <- lapply(labels, str2lang)
  names(expressions) <- vapply(expressions, function(e) if (is.name(e)) as.character(e) else deparse1(e), "")
  list(expressions = expressions, env = env)
}

# feature_table evaluates the features for the rows of data.
feature_table <- function(parts, data) {
  table <- data[0]
  for (name in names(parts$expressions)) {
    found <- eval(parts$expressions[[name]], data, parts$env)
    if (inherits(found, "AsIs")) class(found) <- setdiff(class(found), "AsIs")
    if (length(found) != nrow(data)) stop("the term ", name, " is not a column of data", call. = FALSE)
    table[[name]] <- found
  }
  table
}

# labels_of returns labels as the program reads them: numbers, or two texts of which the second one counts as 1.
labels_of <- function(label, name) {
  if (is.ordered(label)) return(list(values = as.integer(label) - 1L))
  if (is.character(label)) label <- factor(label)
  if (!is.factor(label)) return(list(values = label))
  if (nlevels(label) != 2) {
    stop("the label ", name, " has ", nlevels(label), " texts: ordered(", name,
      ", levels = c(\"worst\", ..., \"best\")) says which are better", call. = FALSE)
  }
  list(values = label, positive = levels(label)[2])
}

# event_of returns events as 0 and 1: of 1 and 2, as in survival's Surv, 2 is an event.
event_of <- function(event) {
  if (is.numeric(event) && length(event) && all(event %in% c(1, 2, NA)) && any(event %in% 2)) event <- event - 1
  event
}
