import { expect, it } from 'vitest';
import { zoomedQuery } from './zoom.ts';

it("a selected time range replaces the period, in the viewer's time zone, and keeps the filters", () => {
  const part = { fromMs: Date.parse('2026-11-20T23:05:00Z'), toMs: Date.parse('2026-11-21T01:00:00Z') };
  expect(zoomedQuery('?period=7d&per=day&outcome=aborted&by=key', part, 'Europe/Berlin')).toBe(
    '?outcome=aborted&by=key&from=2026-11-21&from_time=00%3A05&to=2026-11-21&to_time=02%3A00',
  );
});
