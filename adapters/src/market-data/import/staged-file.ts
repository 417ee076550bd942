import type { ColumnPlan } from './column-plan.ts';
import type { DateForm } from './dates.ts';
import type { InputFile } from './inputs.ts';
import type { NumberForm } from './numbers.ts';

/** A file with all that is needed to read it. */
export interface StagedFile extends InputFile {
  readonly plan: ColumnPlan;
  readonly delimiter: string;
  readonly dateForm: DateForm;
  readonly numberForm: NumberForm;
  /** The first rows, for people. */
  readonly sample: readonly (readonly string[])[];
}
