# The program: where it is, how it is called, what it says.

# find returns the path of the program, or stops.
find <- function() {
  said <- c(getOption("pairrank.program", ""), Sys.getenv("PAIRRANK_PROGRAM"))
  said <- said[nzchar(said)]
  path <- if (length(said)) path.expand(said[1]) else unname(Sys.which("pairrank"))
  if (!nzchar(path) || !file.exists(path)) {
    stop("there is no program pairrank", if (length(said)) paste(" at", path),
      ": put it on the PATH, or say where it is by options(pairrank.program = \"/path/to/pairrank\")", call. = FALSE)
  }
  path
}

# workspace returns a new folder for the files of one call.
workspace <- function() {
  dir <- tempfile("pairrank")
  dir.create(dir)
  dir
}

# flags returns options by name as flags of the program: where R has a dot or an underscore, a flag has a hyphen. TRUE is
# the flag alone, NULL and FALSE leave it out, named values are NAME=VALUE in a flag each, others are joined by commas. A
# data frame becomes a file of the folder dir.
flags <- function(options, dir) {
  if (length(options) && (is.null(names(options)) || any(names(options) == ""))) {
    stop("an option of the program has a name, as in lambda = 1", call. = FALSE)
  }
  given <- character()
  for (name in names(options)) {
    value <- options[[name]]
    if (is.null(value) || isFALSE(value)) next
    flag <- paste0("--", gsub("[._]", "-", name))
    if (is.data.frame(value)) {
      file <- file.path(dir, paste0(name, ".csv"))
      write_table(value, file)
      value <- file
    }
    given <- c(given, if (isTRUE(value)) {
      flag
    } else if (!is.null(names(value))) {
      paste0(flag, "=", names(value), "=", texts(value))
    } else if (flag == "--fail-unless") {
      paste0(flag, "=", value)
    } else {
      paste0(flag, "=", paste(texts(value), collapse = ","))
    })
  }
  given
}

# texts writes values so that reading them again gives the same ones.
texts <- function(value) {
  if (is.double(value)) formatC(value, digits = 17, format = "g", width = 1) else as.character(value)
}

# run calls the program and returns its standard output. Its notes become messages, its warnings warnings, and its errors
# an error of class pairrank_error with the exit code and the document, if it printed one. Files of the folder dir lose
# the folder in all texts.
run <- function(args, dir) {
  out <- file.path(dir, "out")
  err <- file.path(dir, "err")
  code <- system2(find(), shQuote(enc2utf8(args)), stdout = out, stderr = err)
  clean <- function(file) {
    lines <- readLines(file, warn = FALSE, encoding = "UTF-8")
    gsub(paste0(dir, .Platform$file.sep), "", gsub("\\\\", "\\", lines, fixed = TRUE), fixed = TRUE)
  }
  found <- paste(gsub(paste0(dir, "/"), "", readLines(out, warn = FALSE, encoding = "UTF-8"), fixed = TRUE),
    collapse = "\n")
  said <- tell(clean(err))
  if (code != 0) {
    text <- c(said, if (any(grepl("--factor-columns makes features", said))) {
      "hint: in R, factor() makes features of a column of texts"
    })
    stop(errorCondition(paste(text, collapse = "\n"), class = "pairrank_error", code = code,
      document = if (startsWith(found, "{")) result(found)))
  }
  found
}

# tell tells what the program noted and warned of, and returns the rest.
tell <- function(lines) {
  lines <- lines[nzchar(lines)]
  rest <- character()
  for (block in split(lines, cumsum(grepl("^pairrank: ", lines)))) {
    text <- sub("^pairrank: ", "", paste(block, collapse = "\n"))
    if (startsWith(text, "note: ")) {
      message(sub("^note: ", "", text))
    } else if (startsWith(text, "warning: ")) {
      warning(sub("^warning: ", "", text), call. = FALSE)
    } else {
      rest <- c(rest, text)
    }
  }
  rest
}

# result returns a document of the program as a list, whose lists of objects are data frames. It keeps the text.
result <- function(text, ...) {
  structure(c(jsonlite::fromJSON(text), list(...)), json = text, class = "pairrank_result")
}
