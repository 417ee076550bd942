import type { AsLived } from '@quantloom/domain/contracts/http/as-lived';
import {
  type BandState,
  bandId,
  bandStart,
  bandStream,
  bandsId,
  LEAST_SAMPLE_DAYS,
  type Lived,
} from '@quantloom/domain/forward-test/band';
import {
  BAND_CHECKS,
  type BandCheckDocument,
  type BandsDocument,
  bandsProjection,
} from '@quantloom/domain/forward-test/band-projection';
import type { FollowDocument } from '@quantloom/domain/forward-test/projections';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { day as dayNumber, formatDay } from '@quantloom/domain/market-data/day';
import { nextSessionAfter } from '@quantloom/domain/market-data/trading-calendar';
import type { ReadDeps } from '../deps.ts';

type Band = AsLived['bands'][number];
/** Years of a record that are shown. */
const MOST_BANDS = 40;
const NO_BAND = {
  too_short: `There is no band: the backtest before has less than a year of returns (${LEAST_SAMPLE_DAYS} days).`,
  lost_everything: 'There is no band: the backtest before lost everything.',
  not_run: 'There is no band: the backtest before could not be run over all of its days.',
} as const;

/** Makes the collection of what was looked at where no projector has yet, once. */
export function ensuredOnce(readModels: Pick<ReadDeps['readModels'], 'ensureCollection'>) {
  let isThere = false;
  return async (): Promise<void> => {
    if (!isThere) await readModels.ensureCollection(BAND_CHECKS);
    isThere = true;
  };
}

/** The bands of whoever follows, laid over the record; those who do not follow have none. */
export async function bandsOf(
  { readModels, eventStore }: Pick<ReadDeps, 'readModels' | 'eventStore'>,
  follow: FollowDocument | null,
  record: Lived,
): Promise<Pick<AsLived, 'bands' | 'no_band'>> {
  if (!follow) return { bands: [], no_band: null };
  const id = bandsId(follow);
  const [document, check] = await Promise.all([
    readModels.get<BandsDocument>(bandsProjection.collection.name, id),
    readModels.get<BandCheckDocument>(BAND_CHECKS.name, id),
  ]);
  const newest = document?.current?.number ?? 0;
  const bands: Band[] = [];
  for (let number = Math.max(1, newest - MOST_BANDS + 1); number <= newest; number += 1) {
    const { state } = await loadState(eventStore, bandStream, bandId({ ...follow, number }));
    const shown = shownBand(state, record);
    if (shown) bands.push(shown);
  }
  if (bands.length > 0) return { bands, no_band: null };
  const reason = check?.missing;
  return { bands, no_band: reason ? NO_BAND[reason] : 'The band is fixed with the next decision.' };
}

function shownBand({ band, left }: BandState, record: Lived): Band | null {
  const start = band ? bandStart(record, band) : -1;
  const base = record.values[start];
  if (!band || base === undefined) return null;
  const edge = (values: readonly number[]) => [base, ...values.map((value) => base * value)];
  return {
    number: band.number,
    day: band.day,
    revision: band.revision,
    data_version: band.dataVersion,
    engine_version: band.engineVersion,
    sample_from: band.sampleFrom,
    sample_days: band.sampleDays,
    block_length: band.blockLength,
    draws: band.draws,
    seed: band.seed,
    days: daysOn(record.days.slice(start), band.lower.length + 1),
    lower: edge(band.lower),
    upper: edge(band.upper),
    inner_lower: edge(band.innerLower),
    inner_upper: edge(band.innerUpper),
    left: left && { day: left.day, side: left.side, value: left.value, edge: left.edge },
  };
}

/** So many days: those of the record, then the sessions that are expected. */
function daysOn(days: readonly string[], count: number): string[] {
  const found = days.slice(0, count);
  while (found.length < count) found.push(formatDay(nextSessionAfter(dayNumber(found.at(-1) ?? ''))));
  return found;
}
