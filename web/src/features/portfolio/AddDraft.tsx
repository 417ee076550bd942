import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchDrafts } from '../../lib/resources.ts';
import { Combobox } from '../../ui/Combobox.tsx';

const SHOWN = 25;

/** Takes a strategy of one's own into the portfolio that is not followed. */
export function AddDraft({ taken, onAdd }: { taken: readonly string[]; onAdd: (id: string) => void }) {
  const [search, setSearch] = useState('');
  const found = useQuery({
    queryKey: ['drafts', 'to-hold', search],
    queryFn: async ({ signal }) => await fetchDrafts({ search, limit: SHOWN }, signal),
    placeholderData: keepPreviousData,
  });
  const options = (found.data?.rows ?? [])
    .filter(({ id, type }) => type === 'bot' && !taken.includes(id))
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Combobox
      label="Add a draft"
      hint="It counts in backtests only: a record as lived begins with following."
      options={options}
      value={null}
      onChange={(id) => id !== null && onAdd(id)}
      onSearch={setSearch}
      placeholder="Search your drafts"
      emptyText="No other draft."
      className="w-full sm:w-80 print:hidden"
    />
  );
}
