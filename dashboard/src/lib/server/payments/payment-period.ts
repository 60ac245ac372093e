/// <reference lib="esnext.temporal" />

import { type Filter, optionsOf, type Values } from '#lib/server/list/filter.ts';
import { timeRange } from '#lib/server/list/time-range.ts';

/** Periods by name, in the member's zone. */
const PERIODS = { today: 'Today', month: 'This month', last_month: 'Last month' } as const;
type Period = keyof typeof PERIODS;

const CUSTOM = timeRange('Date', (range) => range);
const BY_SUCCESS = 'success';

type PeriodRequest = Partial<Record<`${'created' | 'succeeded'}_${'from' | 'to'}`, string | undefined>>;

/** The payments that were created, or succeeded, in a named period or between dates. */
export function periodFilter(now = Date.now): Filter<PeriodRequest> {
  return {
    fields: [
      { name: 'period', label: 'Period', control: 'select', any: 'Any', options: optionsOf(PERIODS) },
      {
        name: 'by',
        label: 'By',
        control: 'select',
        any: 'Creation',
        options: [{ value: BY_SUCCESS, label: 'Success' }],
      },
      ...CUSTOM.fields,
    ],
    chips: [{ label: 'Period', names: ['period'] }, ...CUSTOM.chips, { label: 'By', names: ['by'] }],
    read(values, reject, timeZone) {
      const basis = values.get('by') === BY_SUCCESS ? 'succeeded' : 'created';
      if (basis === 'created' && values.has('by')) reject('by', 'Select creation or success.');
      const period = values.get('period') ?? '';
      if (period !== '' && !isPeriod(period)) reject('period', 'Select a period.');
      if (period !== '' && (values.has('from') || values.has('to')))
        reject('period', 'Select a period or enter dates, not both.');
      const { from, to } = CUSTOM.read(daysOf(values, now(), timeZone), reject, timeZone);
      return { [`${basis}_from`]: from, [`${basis}_to`]: to };
    },
  };
}

/** The period in the name of a file: `from-2026-10-01-to-2026-10-31-by-success`. Empty without a period. */
export function periodText(values: Values, nowMs: number, timeZone: string): string {
  const days = daysOf(values, nowMs, timeZone);
  const ends = (['from', 'to'] as const).flatMap((name) =>
    days.has(name) ? [`${name}-${days.get(name)}`] : [],
  );
  if (ends.length === 0) return '';
  return [...ends, ...(values.get('by') === BY_SUCCESS ? ['by-success'] : [])].join('-');
}

/** The values with the first and last day of a named period in place of its name. */
function daysOf(values: Values, nowMs: number, timeZone: string): Values {
  const period = values.get('period') ?? '';
  if (!isPeriod(period)) return values;
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  if (period === 'today') return new URLSearchParams({ from: today.toString(), to: today.toString() });
  const first = today.with({ day: 1 }).subtract({ months: period === 'last_month' ? 1 : 0 });
  const last = first.add({ months: 1 }).subtract({ days: 1 });
  return new URLSearchParams({ from: first.toString(), to: last.toString() });
}

function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIODS, text);
}
