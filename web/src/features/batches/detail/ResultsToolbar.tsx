import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { METRIC_COLUMNS, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { SegmentedControl, TextField } from '../../../ui/inputs.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { Select } from '../../../ui/Select.tsx';
import { METRIC_OPTIONS } from '../analysis/metric-names.ts';
import { isPercentColumn, resultColumns } from '../model/columns.ts';
import {
  type ColumnFilter,
  FILTER_OPS,
  type FilterOp,
  filterProblem,
  filterText,
  opsOf,
} from '../model/filters.ts';
import type { Results } from './use-results.ts';

const isMetric = (column: string): column is MetricColumn =>
  (METRIC_COLUMNS as readonly string[]).includes(column);

/** How the rows are ordered, and the filters that are on. */
export function ResultsToolbar({ batch, results: [state, send] }: { batch: BatchDetail; results: Results }) {
  const { order, filters } = state.context;
  const metric = order.by === 'neighbourhood' ? order.metric : 'sharpe_ratio';
  return (
    <div className="flex flex-wrap items-center gap-2 pb-2">
      <SegmentedControl
        label="Order of the results"
        value={order.by}
        onChange={(by) => {
          if (by === 'column') send({ type: 'user.orderByColumn' });
          else {
            const column = order.by === 'column' ? order.sort.column : metric;
            send({ type: 'user.orderByNeighbourhood', metric: isMetric(column) ? column : 'sharpe_ratio' });
          }
        }}
        options={[
          { value: 'column', label: 'Own value' },
          { value: 'neighbourhood', label: 'Median of neighbours' },
        ]}
      />
      {order.by === 'neighbourhood' && (
        <Select
          label="Metric of the neighbourhood"
          isLabelHidden
          className="w-48"
          options={METRIC_OPTIONS}
          value={metric}
          onChange={(next) => send({ type: 'user.orderByNeighbourhood', metric: next })}
        />
      )}
      <AddFilter batch={batch} onAdd={(filter) => send({ type: 'user.addFilter', filter })} />
      {filters.map((filter) => (
        <button
          key={`${filter.column}:${filter.op}`}
          type="button"
          aria-label={`Remove the filter ${filterText(filter)}`}
          onClick={() => send({ type: 'user.setFilters', filters: filters.filter((one) => one !== filter) })}
          className="num flex h-7 items-center gap-1 rounded bg-selected px-2 text-sm hover:bg-hover"
        >
          {filterText(filter)} <X size={13} aria-hidden />
        </button>
      ))}
      {filters.length > 1 && (
        <Button size="sm" variant="ghost" onClick={() => send({ type: 'user.setFilters', filters: [] })}>
          Clear all
        </Button>
      )}
    </div>
  );
}

function AddFilter({ batch, onAdd }: { batch: BatchDetail; onAdd: (filter: ColumnFilter) => void }) {
  const [open, setOpen] = useState(false);
  const [column, setColumn] = useState('sharpe_ratio');
  const [op, setOp] = useState<FilterOp>('gte');
  const [text, setText] = useState('');
  const [wasTried, setTried] = useState(false);
  const areText = (name: string) =>
    batch.variables[name]?.some((value) => typeof value === 'string') ?? false;
  const ops = opsOf(column, areText(column));
  const chosen = ops.includes(op) ? op : (ops[0] ?? 'gte');
  const filter = { column, op: chosen, text };
  const problem = filterProblem(filter);
  return (
    <Popover
      title="Filter the results"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" icon={ListFilter}>
          Filter
        </Button>
      }
    >
      <form
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (problem) return;
          onAdd(filter);
          setText('');
          setTried(false);
          setOpen(false);
        }}
      >
        <Select
          label="Column"
          options={resultColumns(batch.variable_names).map((name) => ({ value: name, label: name }))}
          value={column}
          onChange={setColumn}
        />
        <Select
          label="Condition"
          options={FILTER_OPS.filter(({ value }) => ops.includes(value))}
          value={chosen}
          onChange={setOp}
        />
        {chosen !== 'isNull' && (
          <TextField
            label={isPercentColumn(column) ? 'Value (percent)' : 'Value'}
            value={text}
            onChange={setText}
            error={wasTried ? problem : null}
            hint={chosen === 'in' ? 'Several are separated by commas.' : null}
          />
        )}
        <Button type="submit" variant="primary" className="self-end">
          Add filter
        </Button>
      </form>
    </Popover>
  );
}
