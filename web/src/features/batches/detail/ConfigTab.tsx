import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { cashInWords } from '@quantloom/domain/strategy/run-settings';
import type { ReactNode } from 'react';
import { useFeature } from '../../../lib/auth/session.ts';
import { formatCount, formatDate, formatDateTime, MISSING } from '../../../lib/format.ts';
import { StatusBadge, TickerChip } from '../../../ui/Badge.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { fillWords, termsOf } from '../../terms/terms.ts';
import { holdOutText } from '../model/hold-out-text.ts';
import { templateOf } from '../model/template-of.ts';
import { useTickerNames } from '../model/ticker-names.ts';
import { Notes } from './Notes.tsx';

/** What the batch was run with. */
export function ConfigTab({ batch }: { batch: BatchDetail }) {
  const canSeeSlippage = useFeature('web.slippage.view');
  const names = useTickerNames();
  const { backtest_config: config, time_actual: time, provenance } = batch;
  const terms = termsOf(config);
  const reused = batch.combinations - batch.new_combinations;
  return (
    <div className="grid grid-cols-1 items-start gap-4 pb-6 lg:grid-cols-2">
      <Panel title="Configuration">
        <dl className="flex flex-col gap-2">
          <Line label="Status">
            <StatusBadge status={batch.status} />
          </Line>
          <Line label="Backtest Period">
            {formatDate(config.start_date)} – {formatDate(config.end_date)}
          </Line>
          {config.out_of_sample_date && (
            <Line label="Out of sample from">{formatDate(config.out_of_sample_date)}</Line>
          )}
          {batch.hold_out && (
            <Line label="Hold-out">{holdOutText(batch.hold_out, config.out_of_sample_date ?? null)}</Line>
          )}
          <Line label="Combinations">{formatCount(batch.combinations)}</Line>
          {reused > 0 && (
            <Line label="Reused">
              {formatCount(reused)} from earlier batches, not counted towards the monthly limit
            </Line>
          )}
          {canSeeSlippage && <Line label="Slippage (bps)">{config.slippage_bps}</Line>}
          <Line label="Filled at">{fillWords(terms.fill)}</Line>
          <Line label="Cash earns">{cashInWords(terms.cash)}</Line>
          <Line label="Started At">{time.start_time ? formatDateTime(time.start_time) : MISSING}</Line>
          <Line label="Finished At">{time.end_time ? formatDateTime(time.end_time) : MISSING}</Line>
          <Line label="Progress">{batch.progress.percent}%</Line>
        </dl>
      </Panel>
      <div className="flex flex-col gap-4">
        <Panel title="Computed with">
          <dl className="flex flex-col gap-2">
            <Line label="Template">{templateOf(batch)?.name ?? MISSING}</Line>
            <Line label="Strategy revision">{provenance.strategy_revision ?? MISSING}</Line>
            <Line label="Data version">{provenance.data_version}</Line>
            <Line label="Engine version">{provenance.engine_version}</Line>
            <Line label="Result hash">
              <span className="break-all font-mono text-sm">{provenance.result_hash ?? MISSING}</span>
            </Line>
          </dl>
          <p className="mt-3 text-sm text-muted">{provenance.fills}</p>
          {provenance.differs_today.map((reason) => (
            <Notice key={reason} kind="warning" className="mt-2">
              {reason}
            </Notice>
          ))}
        </Panel>
        <Notes batch={batch} />
      </div>
      <div className="lg:col-span-2">
        <Panel title="Variables">
          <dl className="flex flex-col gap-3">
            {Object.entries(batch.variables).map(([name, values]) => (
              <div key={name} className="flex gap-3">
                <dt className="w-24 shrink-0">
                  <TickerChip ticker={name} />
                </dt>
                <dd className="flex min-w-0 flex-wrap gap-1">
                  {values.slice(0, 500).map((value) => {
                    const assetName = names.get(String(value));
                    return (
                      <TickerChip
                        key={value}
                        ticker={String(value)}
                        {...(assetName && { name: assetName })}
                      />
                    );
                  })}
                  {values.length > 500 && (
                    <span className="text-muted">and {formatCount(values.length - 500)} more</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      </div>
    </div>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="w-32 shrink-0 text-muted md:w-40">{label}</dt>
      <dd className="num min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
