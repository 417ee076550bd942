// Import, backtest, a batch of 1,000, verdict: with the client as it was installed into an empty folder.
import { readFileSync } from 'node:fs';
import { Quantloom } from '@quantloom/client';

const { source, template, variables } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const quantloom = new Quantloom({
  url: process.env.QUANTLOOM_URL ?? '',
  clientId: process.env.QUANTLOOM_CLIENT_ID ?? '',
  clientSecret: process.env.QUANTLOOM_CLIENT_SECRET ?? '',
});
const terms = { start_date: '2015-01-02', end_date: '2019-12-31' };
const imported = await quantloom.importStrategy(source);
const { metrics } = await quantloom.backtest({ ...terms, trading_bot: imported.algorithm });
const request = { name: 'A thousand', template_bot: template, variables, backtest_config: terms };
const estimate = await quantloom.estimate({ template_bot: template, variables, backtest_config: terms });
const { id } = await quantloom.startBatch(request);
const batch = await quantloom.waitForBatch(id);
let rows = 0;
for await (const row of quantloom.rows(id, { sort: 'sharpe_ratio:desc', pageSize: 300 }))
  rows += row.$W ? 1 : 0;
const parquet = await quantloom.parquet(id);
const { verdict, sentence } = await quantloom.verdict(id);
const refused = await quantloom.batch('nothing').catch((error) => `${error.status} ${error.code}`);
const magic = new TextDecoder().decode(parquet.slice(0, 4));
console.log(
  JSON.stringify({
    metrics,
    combinations: estimate.combinations,
    status: batch.status,
    rows,
    magic,
    verdict,
    sentence,
    refused,
  }),
);
