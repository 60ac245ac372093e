import { ADAPTER_RULES } from '@tollgate/processor-adapter/contract/rules';
import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../src/processor/run-checks.ts';
import { DEFECTS, type Defect } from '../defects.ts';
import { testNodeAdapter } from '../support/test-node-adapter.ts';

const SHORT_DEADLINE_MS = 1_000;
/** These defects are found when the deadline is over. */
const FOUND_BY_WAITING: ReadonlySet<string> = new Set<Defect>([
  'waits for a slow processor',
  'blocks while Tollgate is slow',
  'reports the first status forever',
  'sends no callbacks',
  'sends no callbacks about declines',
  'sends no callbacks about refunds',
  'sends callbacks about another payment',
  'sends callbacks to another path',
  'sends callbacks once',
]);

const triggered = new Set<string>();

describe('tollgate processor test', () => {
  it.each(Object.entries(DEFECTS))(
    'an adapter that %s breaks exactly %s',
    { timeout: 60_000 },
    async (defect, rule) => {
      const deadlineMs = FOUND_BY_WAITING.has(defect) ? { deadlineMs: SHORT_DEADLINE_MS } : {};
      const results = await testNodeAdapter(defect as Defect, deadlineMs);
      const failed = results.filter(({ outcome }) => outcome === 'failed');
      for (const { check } of failed) triggered.add(check);
      expect([...new Set(failed.map((result) => result.rule))], JSON.stringify(failed, null, 1)).toEqual([
        rule,
      ]);
    },
  );

  it('has a defect for each check and each rule', () => {
    expect(CHECKS.map(({ name }) => name).filter((name) => !triggered.has(name))).toEqual([]);
    expect(
      Object.keys(ADAPTER_RULES).filter((rule) => !Object.values(DEFECTS).includes(rule as never)),
    ).toEqual([]);
  });
});
