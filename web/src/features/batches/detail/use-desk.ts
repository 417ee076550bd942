import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { ResultViewAnswer } from '@quantloom/domain/contracts/http/result-views';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import type { ViewContent, ViewOrder, ViewPicture } from '@quantloom/domain/result-views/view-content';
import { useEffect, useRef, useState } from 'react';
import { ADDRESS_NAMES, addressOf, deskOfAddress, FIRST_DESK, fittedDesk } from '../model/desk.ts';
import { rememberColumns, rememberedColumns } from '../model/table-views.ts';
import { defaultOrder, type ResultOrder } from './results.machine.ts';
import { readableColumns, useResults } from './use-results.ts';

/** What a view or a link names and the batch does not have. */
interface LeftOut {
  /** Name of the view; null: the link. */
  readonly of: string | null;
  readonly what: readonly string[];
}

const resultOrder = (order: ViewOrder | null): ResultOrder | null =>
  order?.by === 'column'
    ? { by: 'column', sort: { column: order.column, direction: order.direction } }
    : order;

function viewOrder(order: ResultOrder, variables: readonly string[]): ViewOrder | null {
  if (order.by === 'neighbourhood') return order;
  const first = defaultOrder(variables);
  const { column, direction } = order.sort;
  return first.by === 'column' && first.sort.column === column && first.sort.direction === direction
    ? null
    : { by: 'column', column, direction };
}

/**
 * What the page begins with: what its address says, else the default view, else the columns that this browser
 * shows.
 */
function startOf(batch: BatchDetail, views: readonly ResultViewAnswer[]) {
  const said = deskOfAddress(new URLSearchParams(window.location.search));
  const view = said ? undefined : views.find((one) => one.is_default);
  const wanted: ViewContent = said ?? view ?? { ...FIRST_DESK, columns: rememberedColumns() };
  const { desk, leftOut } = fittedDesk(wanted, batch, readableColumns(batch));
  return {
    desk,
    hasAddress: said !== null,
    leftOut: leftOut.length === 0 ? null : ({ of: view?.name ?? null, what: leftOut } satisfies LeftOut),
  };
}

/** Puts what is shown into the address, without a step in the history of the browser. */
function writeAddress(said: URLSearchParams): void {
  const url = new URL(window.location.href);
  for (const name of ADDRESS_NAMES) url.searchParams.delete(name);
  for (const [name, value] of said) url.searchParams.append(name, value);
  window.history.replaceState(window.history.state, '', url);
}

/**
 * How a batch is looked at: columns, order, filters, picture and metric; from the address or a view, and back
 * into the address.
 */
export function useDesk(batch: BatchDetail, views: readonly ResultViewAnswer[]) {
  const [start] = useState(() => startOf(batch, views));
  const results = useResults(batch, { order: resultOrder(start.desk.order), filters: start.desk.filters });
  const [columns, setColumns] = useState(start.desk.columns);
  const [metric, setMetric] = useState<MetricColumn>(start.desk.metric);
  const [picture, setPicture] = useState<ViewPicture>(start.desk.picture);
  const [leftOut, setLeftOut] = useState<LeftOut | null>(start.leftOut);
  /** The picture to go to; a new object each time, so that it can be gone to again. */
  const [goal, setGoal] = useState<{ readonly picture: ViewPicture }>({ picture });
  const [{ context }, send] = results;
  const desk: ViewContent = {
    columns,
    order: viewOrder(context.order, context.variables),
    filters: context.filters,
    picture,
    metric,
  };
  const address = addressOf(desk).toString();
  const first = useRef<string | null>(start.hasAddress ? null : address);
  useEffect(() => {
    // A page that was only opened keeps the address that it has: there, everybody sees it as he likes.
    if (address === first.current) return;
    first.current = null;
    writeAddress(new URLSearchParams(address));
  }, [address]);
  return {
    desk,
    results,
    goal,
    leftOut,
    forgetLeftOut: () => setLeftOut(null),
    setMetric,
    /** The analysis from its beginning. */
    goToTop: () => {
      setPicture('verdict');
      setGoal({ picture: 'verdict' });
    },
    setPicture,
    setColumns: (next: readonly string[]) => {
      setColumns(next);
      rememberColumns(next);
    },
    /** Shows a view as far as the batch has what it names. */
    apply: (view: ViewContent, name: string) => {
      const fitted = fittedDesk(view, batch, readableColumns(batch));
      setColumns(fitted.desk.columns);
      rememberColumns(fitted.desk.columns);
      setMetric(fitted.desk.metric);
      setPicture(fitted.desk.picture);
      setGoal({ picture: fitted.desk.picture });
      setLeftOut(fitted.leftOut.length === 0 ? null : { of: name, what: fitted.leftOut });
      send({
        type: 'user.applyView',
        order: resultOrder(fitted.desk.order),
        filters: fitted.desk.filters,
      });
      return fitted.desk;
    },
  };
}
export type Desk = ReturnType<typeof useDesk>;
