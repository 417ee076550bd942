import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { type ReactElement, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { columnHeader, isPercentColumn } from '../model/columns.ts';
import { type ColumnFilter, FILTER_OPS, type FilterOp, filterProblem, opsOf } from '../model/filters.ts';
import { readableColumns } from './use-results.ts';

export interface AddFilterProps {
  readonly batch: BatchDetail;
  readonly onAdd: (filter: ColumnFilter) => void;
  readonly trigger: ReactElement;
}

/** A filter on any column, made in a popover at its button. */
export function AddFilter({
  batch,
  onAdd,
  trigger,
  isOpenAtOnce,
}: AddFilterProps & { isOpenAtOnce: boolean }) {
  const [open, setOpen] = useState(isOpenAtOnce);
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
    <Popover title="Filter the results" open={open} onOpenChange={setOpen} trigger={trigger}>
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
          options={readableColumns(batch).map((name) => ({
            value: name,
            label: columnHeader(name, batch.out_of_sample !== null),
          }))}
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
