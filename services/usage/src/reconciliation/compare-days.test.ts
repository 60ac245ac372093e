import { newId } from '@tollgate/contracts/platform/ids';
import type { OpenQuestion } from '@tollgate/contracts/usage/usage';
import { describe, expect, it } from 'vitest';
import { compareDays, resolveQuestions } from './compare-days.ts';
import { createDayCounts, type DayKey } from './day-counts.ts';
import { formatReport } from './format-report.ts';
import type { KeyChange } from './read-changes.ts';

const DAY: DayKey = {
  day: '2026-11-20',
  team_id: newId('team'),
  application_id: newId('application'),
  environment: 'live',
  operation: 'create_payment',
};
const NEXT_DAY = { ...DAY, day: '2026-11-21' };
const BOTH = { firstDay: DAY.day, lastDay: NEXT_DAY.day };

function counts(...entries: [DayKey, number][]) {
  const made = createDayCounts();
  for (const [key, count] of entries) made.add(key, count);
  return made;
}

/** An open question about a request with a response on this day, and the change that the request made. */
function asked(reason: OpenQuestion['reason'], day: string, changed: DayKey | null) {
  const question: OpenQuestion = {
    request_id: newId('request'),
    team_id: newId('team'),
    application_id: DAY.application_id,
    key_id: newId('apiKey'),
    environment: DAY.environment,
    operation: DAY.operation,
    outcome: reason === 'other_day' ? 'succeeded' : reason,
    at: `${day}T00:00:00.100Z`,
    reason,
  };
  const change: KeyChange | null = changed && { ...changed, paymentId: newId('payment') };
  return resolveQuestions([question], new Map(change ? [[question.request_id, change]] : []));
}

const differences = (compared: ReturnType<typeof compareDays>) =>
  compared.map(({ day, difference }) => [day, difference]);

it('the report says how many rows were not compared', () => {
  expect(formatReport([], [], 2)).toContain('Not compared, because the sandbox was reset: 2 rows.');
  expect(formatReport([], [])).not.toContain('Not compared');
});

describe('a comparison of payments and usage', () => {
  it('a comparison of payments and usage finds no difference where both agree', () => {
    const compared = compareDays(BOTH, { payments: counts([DAY, 3]), usage: counts([DAY, 3]) }, []);
    expect(differences(compared)).toEqual([[DAY.day, 0]]);
    expect(formatReport(compared, [])).toContain('every difference is explained');
  });

  it('a comparison of payments and usage finds each change that is missing on either side, and the report names it', () => {
    const compared = compareDays(
      BOTH,
      { payments: counts([DAY, 3]), usage: counts([DAY, 2], [NEXT_DAY, 1]) },
      [],
    );
    expect(differences(compared)).toEqual([
      [DAY.day, 1],
      [NEXT_DAY.day, -1],
    ]);
    const text = formatReport(compared, []);
    expect(text).toContain(
      `DIFFERENCE ${DAY.day}, ${DAY.application_id}, live, create_payment: payments has 1 more`,
    );
    expect(text).toContain(
      `DIFFERENCE ${NEXT_DAY.day}, ${DAY.application_id}, live, create_payment: usage has 1 more`,
    );
  });

  it.each(['server_error', 'aborted'] as const)(
    'a comparison of payments and usage explains a change by a request that was counted as %s',
    (reason) => {
      const resolved = asked(reason, DAY.day, DAY);
      const compared = compareDays(BOTH, { payments: counts([DAY, 1]), usage: counts() }, resolved);
      expect(differences(compared)).toEqual([[DAY.day, 0]]);
      expect(formatReport(compared, resolved)).toContain(resolved[0]?.change?.paymentId);
    },
  );

  it.each(['server_error', 'aborted'] as const)(
    'a comparison of payments and usage explains nothing by a request that was counted as %s and changed nothing',
    (reason) => {
      const resolved = asked(reason, DAY.day, null);
      const compared = compareDays(BOTH, { payments: counts([DAY, 1]), usage: counts() }, resolved);
      expect(differences(compared)).toEqual([[DAY.day, 1]]);
      expect(formatReport(compared, resolved)).toContain('none');
    },
  );

  it('attributes a request that straddles midnight to the day of its change', () => {
    const resolved = asked('other_day', NEXT_DAY.day, DAY);
    const compared = compareDays(
      BOTH,
      { payments: counts([DAY, 1]), usage: counts([NEXT_DAY, 1]) },
      resolved,
    );
    expect(differences(compared)).toEqual([
      [DAY.day, 0],
      [NEXT_DAY.day, 0],
    ]);
  });

  it('a comparison of payments and usage ignores days outside of the period', () => {
    const period = { firstDay: NEXT_DAY.day, lastDay: NEXT_DAY.day };
    expect(compareDays(period, { payments: counts([DAY, 1]), usage: counts() }, [])).toEqual([]);
  });
});
