// @vitest-environment happy-dom
import { getHeatMap, getPeaks, getVariableEffects } from '@quantloom/domain/contracts/http/calls';
import { screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { batchOf, sideOf } from '../../../../testing/batch.ts';
import { answer, leave, press, type Sent, show } from '../../../../testing/page.tsx';
import { Effects } from './Effects.tsx';
import { HeatMap } from './HeatMap.tsx';
import { Peaks } from './Peaks.tsx';

afterEach(leave);

type Metric = 'sharpe_ratio' | 'max_drawdown';
const batch = batchOf({ variable_names: ['$A', '$N'], variables: { $A: ['SPY', 'QQQ'], $N: [10, 20] } });

/** A part of the page over a metric, with a button for another one. */
function Part({ children }: { children: (metric: Metric) => ReactNode }) {
  const [metric, setMetric] = useState<Metric>('sharpe_ratio');
  return (
    <>
      <button type="button" onClick={() => setMetric('max_drawdown')}>
        Other
      </button>
      {children(metric)}
    </>
  );
}

const CELLS = [
  [1, 2],
  [3, 4],
];

it.each<readonly [string, (metric: Metric) => ReactNode, 'heading' | 'columnheader', RegExp]>([
  [
    'effects',
    (metric) => <Effects batch={batch} metric={metric} filters={[]} />,
    'heading',
    /^What explains/,
  ],
  ['peaks', (metric) => <Peaks batch={batch} metric={metric} />, 'columnheader', /Sharpe Ratio|Max Drawdown/],
  [
    'map',
    (metric) => (
      <HeatMap batch={batch} metric={metric} filters={[]} onFilter={() => {}} onSettled={() => {}} />
    ),
    'heading',
    /over two variables$/,
  ],
])(
  'the %s shown keep the name of their metric while those of another are on their way',
  async (_, part, role, name) => {
    let wait = Promise.resolve();
    const later = (of: (metric: unknown) => object) => async (sent: Sent) => {
      if (sent.query?.metric === 'max_drawdown') await wait;
      return of(sent.query?.metric);
    };
    const variable = { is_numeric: true, explained: 0.5, steepest: null, slices: [] };
    answer(
      [
        getVariableEffects,
        later((metric) => ({
          metric,
          count: 4,
          deviation: 1,
          variables: ['$A', '$N'].map((one) => ({ ...variable, name: one })),
        })),
      ],
      [
        getPeaks,
        later((metric) => ({
          metric,
          median: 1,
          best: null,
          edges: [],
          peaks: [{ combination: 1, values: { $A: 'SPY' }, value: 2, neighbour_median: 1, plateau: 1 }],
        })),
      ],
      [
        getHeatMap,
        later((metric) => ({
          metric,
          x: sideOf('$N', [10, 20]),
          y: sideOf('$A', ['SPY', 'QQQ']),
          count: CELLS,
          best: CELLS,
          mean: CELLS,
          worst: CELLS,
        })),
      ],
    );
    show(<Part>{part}</Part>);
    const named = async () => (await screen.findByRole(role, { name })).textContent;
    expect(await named()).toContain('Sharpe Ratio');
    const arrived = Promise.withResolvers<void>();
    wait = arrived.promise;
    await press('Other');
    expect(await named()).toContain('Sharpe Ratio');
    arrived.resolve();
    await waitFor(() => expect(screen.getByRole(role, { name }).textContent).toContain('Max Drawdown'));
  },
);
