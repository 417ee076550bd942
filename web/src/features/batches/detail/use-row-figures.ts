import { MOST_FIGURED } from '@quantloom/domain/batch/row-figures';
import { computeRowFigures } from '@quantloom/domain/contracts/http/calls';
import type { RowFiguresAnswer } from '@quantloom/domain/contracts/http/stability';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { toast } from '../../../ui/toast.tsx';
import { type FigureOffer, figureOffer } from '../model/computed-figures.ts';

type Figures = RowFiguresAnswer['rows'][number];

/** Figures of rows that were run again for them, as long as the table is in sight. */
export interface RowFigures {
  readonly known: ReadonlyMap<number, Figures>;
  readonly offer: FigureOffer | null;
  readonly isPending: boolean;
  readonly compute: (combinations: readonly number[]) => void;
}

export function useRowFigures(
  batchId: string,
  shown: readonly number[],
  picked: readonly number[],
): RowFigures {
  const [known, setKnown] = useState<ReadonlyMap<number, Figures>>(new Map());
  const { mutate, isPending } = useMutation({
    mutationFn: (combinations: readonly number[]) =>
      api().call(computeRowFigures, { params: { id: batchId }, body: { combinations: [...combinations] } }),
    onSuccess: ({ rows }) => {
      setKnown((before) => new Map([...before, ...rows.map((row) => [row.combination, row] as const)]));
      const failed = rows.filter(({ error }) => error !== null);
      if (failed[0])
        toast.error(`${plural(failed.length, 'row')} could not be run again: ${failed[0].error}`);
    },
    onError: (error) => toast.error(messageOf(error)),
  });
  const offer = figureOffer(shown, picked, new Set(known.keys()), MOST_FIGURED);
  return { known, offer, isPending, compute: mutate };
}
