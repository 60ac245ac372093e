import { ADAPTER_RULES } from '@tollgate/processor-adapter/contract/rules';
import { ADAPTER_DEADLINE_MS } from '@tollgate/processor-adapter/test/support/conformance';
import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../src/processor/run-checks.ts';
import { BROKEN_ADAPTERS } from '../broken-adapters.ts';
import { DEFECTS, type Defect } from '../defects.ts';
import { testAcmeAdapter } from '../support/test-acme-adapter.ts';
import { testNodeAdapter } from '../support/test-node-adapter.ts';

const SHORT_DEADLINE_MS = 1_000;
/** These defects are found when the deadline is over. */
const FOUND_BY_WAITING: ReadonlySet<string> = new Set<Defect>([
  'blocks while Tollgate is slow',
  'reports the first status forever',
  'sends no callbacks',
  'sends no callbacks about declines',
  'sends no callbacks about refunds',
  'sends callbacks about another payment',
  'sends callbacks to another path',
  'sends callbacks once',
]);

/** For callbacks of the example adapter, whose first repeat follows after a second. */
const CHANGE_DEADLINE_MS = 6_000;

const triggered = new Set<string>();
const brokenRules = new Set<string>();

describe('tollgate processor test', () => {
  it.each(Object.entries(DEFECTS))(
    'an adapter that %s breaks exactly %s',
    { timeout: 60_000 },
    async (defect, rule) => {
      const deadlineMs = FOUND_BY_WAITING.has(defect) ? { deadlineMs: SHORT_DEADLINE_MS } : {};
      const results = await testNodeAdapter(defect as Defect, deadlineMs);
      const failed = results.filter(({ outcome }) => outcome === 'failed');
      for (const { check } of failed) triggered.add(check);
      brokenRules.add(rule);
      expect([...new Set(failed.map((result) => result.rule))], JSON.stringify(failed, null, 1)).toEqual([
        rule,
      ]);
    },
  );

  it('tollgate processor test reports nothing about the example adapter', async () => {
    const results = await testAcmeAdapter();
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    const untested = results.filter(({ outcome }) => outcome === 'not tested');
    for (const { how } of untested) expect(how).not.toMatch(/--processor|--webhooks/);
  });

  it.each(Object.entries(BROKEN_ADAPTERS))(
    'an example adapter that %s fails exactly its checks',
    async (_, broken) => {
      const results = await testAcmeAdapter((source) => withChanges(source, broken.changes), {
        changeDeadlineMs: CHANGE_DEADLINE_MS,
      });
      const failed = results.filter(({ outcome }) => outcome === 'failed');
      for (const { check, rule } of failed) {
        triggered.add(check);
        brokenRules.add(rule);
      }
      expect(
        failed.map(({ check }) => check),
        JSON.stringify(failed, null, 1),
      ).toEqual(broken.fails);
    },
  );

  it('tollgate processor test reports an adapter that waits for a slow processor longer than Tollgate waits for it', async () => {
    const results = await testAcmeAdapter(undefined, { responseDeadlineMs: ADAPTER_DEADLINE_MS / 2 });
    const slow = results.find(({ check }) => check === 'responds in time while the processor is slow');
    expect(slow).toMatchObject({ outcome: 'failed', rule: 'responds-in-time' });
    triggered.add(slow?.check ?? '');
  });

  it('tollgate processor test has a broken adapter for each check and each rule', () => {
    expect(CHECKS.map(({ name }) => name).filter((name) => !triggered.has(name))).toEqual([]);
    expect(Object.keys(ADAPTER_RULES).filter((rule) => !brokenRules.has(rule))).toEqual([]);
  });
});

function withChanges(source: string, changes: readonly [from: string, to: string][]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The example does not contain ${from}`);
    return text.replace(from, () => to);
  }, source);
}
