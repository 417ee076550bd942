import { useState } from 'react';
import { Combobox, MultiCombobox } from '../../ui/Combobox.tsx';
import { type DateRange, DateRangePicker, shortcutRange } from '../../ui/DatePicker.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { RadioGroup } from '../../ui/RadioGroup.tsx';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Textarea, TextField } from '../../ui/text-inputs.tsx';
import { SearchField } from '../../ui/toolbar-inputs.tsx';
import { Specimen } from './Specimen.tsx';

const FUNCTIONS = [
  { value: 'relative-strength-index', label: 'Relative Strength Index' },
  { value: 'moving-average-price', label: 'Moving Average of Price' },
  { value: 'max-drawdown', label: 'Max Drawdown' },
] as const;
const LISTS = ['Sector ETFs', 'Large technology', 'Bonds', 'Commodities', 'Everything else'].map((label) => ({
  value: label.toLowerCase(),
  label,
}));

/** Every kind of input. */
export function Forms() {
  const [name, setName] = useState('Trend filter');
  const [email, setEmail] = useState('ann@');
  const [tickers, setTickers] = useState('SPY\nQQQ');
  const [weight, setWeight] = useState<number | null>(60);
  const [isPublic, setPublic] = useState(false);
  const [rule, setRule] = useState<'allOf' | 'anyOf'>('allOf');
  const [fn, setFn] = useState<(typeof FUNCTIONS)[number]['value']>('relative-strength-index');
  const [list, setList] = useState<string | null>('bonds');
  const [lists, setLists] = useState<string[]>(['sector etfs', 'bonds']);
  const [search, setSearch] = useState('');
  const [range, setRange] = useState<DateRange>(shortcutRange(60, '2025-12-31'));
  return (
    <Specimen
      title="Inputs"
      rule="Each has a label, tied to it. Errors say what is wrong and what is expected, and are announced. Dates can be typed or picked; years from 1990, none in the future."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Name" value={name} onChange={setName} hint="Shown in lists." />
        <TextField
          label="E-mail"
          type="email"
          value={email}
          onChange={setEmail}
          error="This is not an e-mail address."
        />
        <NumberField label="Weight" value={weight} onChange={setWeight} min={0} max={100} step={1} unit="%" />
        <Select label="Function" options={FUNCTIONS} value={fn} onChange={setFn} />
        <Combobox label="Variable list" options={LISTS} value={list} onChange={setList} />
        <MultiCombobox label="Variable lists" options={LISTS} values={lists} onChange={setLists} />
        <Textarea label="Tickers" isMono value={tickers} onChange={setTickers} hint="One ticker per line." />
        <div className="flex flex-col gap-4">
          <SearchField label="Search" value={search} onChange={setSearch} />
          <Switch
            label="Public"
            hint="Visible to everyone with the link."
            checked={isPublic}
            onChange={setPublic}
          />
        </div>
        <RadioGroup
          label="Conditions"
          value={rule}
          onChange={setRule}
          options={[
            { value: 'allOf', label: 'All', description: 'All of the below conditions apply.' },
            { value: 'anyOf', label: 'Any', description: 'Any of the below conditions applies.' },
          ]}
        />
      </div>
      <DateRangePicker value={range} onChange={setRange} max="2025-12-31" />
    </Specimen>
  );
}
