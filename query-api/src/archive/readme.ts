/** What somebody reads who opens the archive years later. */
export const README = `Everything that you have made with Quantloom, as it was when this archive was downloaded.

account.json            Your e-mail address, your plan, how much you have stored, and the names of your API
                        clients. Passwords and secrets are in no archive.
preferences.json        The amount that you have set for trading, and the portfolio that you have saved.
favorites.json          The ids of the strategies that you have marked as favorites.
result-views.json       The views of batch results that you have saved.
history.jsonl           Everything that was done with your account, the oldest first: one JSON object a line.

strategies/NAME-ID/     One folder for each strategy.
  current.json          The strategy as it is now. Import this file to have the strategy again.
  revisions/0007.json   The strategy as the change with that number left it. Can be imported, too.
  history.json          All of its changes with time and author, also those that left its blocks alone.

variable-lists/         One file for each variable list.

batches/NAME-ID/        One folder for each batch backtest.
  definition.json       Strategy, variables, settings, status, note and pinned rows.
  results.csv           One row for each combination.
  results_partial.csv   Instead of results.csv where the batch was still running or had been stopped: the rows
                        that it had.
  results-missing.txt   Instead of results.csv where the rows are not stored any more.

Names of folders and files are those that you gave. Characters that some computers do not allow in a name are
replaced by _, long names are cut, and the id at the end keeps them apart. The real name is inside the file.

Not in here: strategies, lists and batches that you have deleted, what other people share with you, logs of
single backtests, forward tests, alerts, shared results, certificates and invoices.
`;
