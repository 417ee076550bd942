import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { ParameterName } from '@quantloom/domain/strategy/indicator-table';
import type { IndicatorName } from '@quantloom/domain/strategy/tree';
import type { ReactNode } from 'react';
import { TextField } from '../../../ui/text-inputs.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import type { ParameterTexts } from '../model/parameter-entries.ts';
import { tickerWords } from '../model/words.ts';

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** "Window in days", "Fast window in days", "Deviations". */
const wordsOf = ({ label, isWhole }: { label: string; isWhole: boolean }): string =>
  `${label}${isWhole ? ' in days' : ''}`;

/** The side is in sight above the field already, and only read out with it. */
function labelOf(prefix: string, words: string): ReactNode {
  if (prefix === '') return capital(words);
  return (
    <>
      <span className="sr-only">{prefix} </span>
      <span className="inline-block whitespace-nowrap first-letter:uppercase">{words}</span>
    </>
  );
}

/** A field for each number that the function takes, and for its second series where it has one. */
export function ParameterFields({
  fn,
  texts,
  faults,
  prefix,
  onChange,
}: {
  fn: IndicatorName | null;
  texts: ParameterTexts;
  faults: Partial<Record<ParameterName, string>>;
  /** `Left` or `Right` where there are two sides. */
  prefix: string;
  onChange: (texts: ParameterTexts) => void;
}) {
  const parameters = fn ? INDICATORS[fn].parameters : INDICATORS['relative-strength-index'].parameters;
  return (
    <>
      {fn && INDICATORS[fn].isPair && (
        <SeriesButton
          label={`${prefix} second asset`.trim()}
          value={texts.with ?? ''}
          placeholder="Compared with"
          onChange={(second) => onChange({ ...texts, with: second })}
        />
      )}
      {parameters.map((parameter) => {
        const words = wordsOf(parameter);
        return (
          <TextField
            key={parameter.name}
            label={labelOf(prefix, words)}
            value={texts[parameter.name] ?? ''}
            error={faults[parameter.name] ?? null}
            onChange={(entered) => onChange({ ...texts, [parameter.name]: entered })}
            inputMode={parameter.isWhole ? 'numeric' : 'decimal'}
            title={`${capital(`${prefix} ${words}`.trim())}, or a variable such as $W`}
            className="has-aria-invalid:col-span-full"
          />
        );
      })}
    </>
  );
}

/** The ticker, ratio or variable of a side; a press opens the asset picker. */
export function SeriesButton({
  label,
  value,
  placeholder = 'Choose an asset',
  onChange,
}: {
  label: string;
  value: string;
  placeholder?: string;
  onChange: (ticker: string) => void;
}) {
  const { openAssetPicker } = useEditorTools();
  return (
    <button
      type="button"
      aria-label={`${label}: ${value ? tickerWords(value) : 'none'}`}
      onClick={() =>
        openAssetPicker({ purpose: 'condition', current: value, onPick: ({ ticker }) => onChange(ticker) })
      }
      className="h-8 min-w-0 truncate rounded border border-control-line bg-raised px-2.5 text-left font-mono text-sm hover:border-muted"
    >
      {value ? tickerWords(value) : <span className="font-sans text-faint">{placeholder}</span>}
    </button>
  );
}
