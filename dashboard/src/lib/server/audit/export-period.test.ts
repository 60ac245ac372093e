import { expect, it } from 'vitest';
import { offeredPeriod, readExportPeriod } from './export-period.ts';

const read = (query: string) => readExportPeriod(new URLSearchParams(query), 'Europe/Berlin');

it("an export covers whole days in the viewer's time zone", () => {
  expect(read('from=2026-11-20&to=2026-11-21')).toEqual({
    period: { from: '2026-11-19T23:00:00.000Z', to: '2026-11-21T23:00:00.000Z' },
  });
});

it('an export with an invalid day or a reversed range is rejected with a reason', () => {
  expect(read('from=2026-11-20')).toEqual({ error: expect.stringMatching(/both dates/) });
  expect(read('from=2026-02-31&to=2026-03-01')).toEqual({ error: expect.stringMatching(/both dates/) });
  expect(read('from=2026-11-21&to=2026-11-20')).toEqual({ error: expect.stringMatching(/before the start/) });
});

it('the default period is the last thirty days, including today', () => {
  const now = Date.parse('2026-11-20T23:30:00.000Z');
  expect(offeredPeriod(now, 'Europe/Berlin')).toEqual({ from: '2026-10-23', to: '2026-11-21' });
});
