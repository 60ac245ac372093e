import { DAY_MS } from '@tollgate/contracts/durations';
/// <reference lib="esnext.temporal" />
import type { Form } from '#lib/server/form.ts';
import { apiTime, beginningOf, localMinute } from '#lib/server/zoned-time.ts';

/** What the field proposes: since when the endpoint takes nothing, a day ago if it does. In the viewer's zone. */
export function suggestSince(missingSince: string | null, timeZone: string, nowMs: number): string {
  return localMinute(missingSince ?? new Date(nowMs - DAY_MS).toISOString(), timeZone);
}

/** The instant that the field `since` says, as the admin API takes it; null when it says none. */
export function readSince(form: Form, timeZone: string): string | null {
  const [date = '', time = ''] = form.text('since').split('T');
  const instant = beginningOf(date, time, timeZone);
  return instant && apiTime(instant);
}
