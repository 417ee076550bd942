# A finished batch in R. Needs arrow, httr2 and jsonlite, and: QUANTLOOM_URL, QUANTLOOM_TOKEN, QUANTLOOM_BATCH (the id in the batch's address).
library(httr2)

batch <- request(Sys.getenv("QUANTLOOM_URL")) |>
  req_url_path_append("api/v1/batch-backtests", Sys.getenv("QUANTLOOM_BATCH")) |>
  req_auth_bearer_token(Sys.getenv("QUANTLOOM_TOKEN"))

# 1. All rows with all columns that may be read.
file <- tempfile(fileext = ".parquet")
batch |> req_url_path_append("results") |> req_url_query(format = "parquet", columns = "all") |> req_perform(path = file)
rows <- arrow::read_parquet(file)

# 2. Daily values of the best ten. With an out-of-sample date, up to the day before it.
metric <- intersect(c("sharpe_ratio", "in_sharpe_ratio"), names(rows))[1]
best <- head(rows$combination[order(-rows[[metric]])], 10)
answer <- batch |> req_url_path_append("rows") |>
  req_body_json(list(combinations = as.list(best))) |> req_perform() |> resp_body_json(simplifyVector = TRUE)
curves <- lapply(seq_along(best), function(i) data.frame(
  day = as.Date(as.POSIXct(answer$rows$timestamps[[i]], origin = "1970-01-01", tz = "UTC")),
  value = answer$rows$value[[i]]
))
