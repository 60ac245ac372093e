import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import { USAGE_OPERATIONS, USAGE_OUTCOMES, UsageWindow } from '@tollgate/contracts/usage/usage';
import fc from 'fast-check';
import Value from 'typebox/value';
import { expect, test } from 'vitest';
import type { UsageRecord } from './usage-record.ts';
import { createWindowCounts } from './window-counts.ts';
import { firstLineOf, linesOf, readWindow } from './window-file.ts';

const AT = new Date('2026-11-21T10:00:01.000Z');
const NAME = { gateway_id: newId('gatewayInstance'), number: 7, at: AT.toISOString() };

const callers = ENVIRONMENTS.flatMap((environment) =>
  [1, 2].map(() => ({
    team_id: newId('team'),
    application_id: newId('application'),
    key_id: newId('apiKey'),
    environment,
  })),
);
const records: fc.Arbitrary<UsageRecord> = fc.record({
  caller: fc.constantFrom(...callers),
  operation: fc.constantFrom(...USAGE_OPERATIONS),
  outcome: fc.option(fc.constantFrom(...USAGE_OUTCOMES), { freq: 9 }),
  durationUs: fc.integer({ min: 0, max: 40_000_000 }),
  id: fc.constantFrom(newId('request'), newId('request')),
  status: fc.option(fc.constantFrom(200, 404)),
  code: fc.option(fc.constant('payment-not-found')),
  address: fc.constantFrom('192.0.2.1', '2001:db8::1'),
  paymentId: fc.option(fc.constant(newId('payment'))),
  idempotencyKey: fc.option(fc.constant('sha256:0123456789abcdef0123456789abcdef')),
  errors: fc.array(
    fc.constantFrom({ pointer: '/amount', code: 'missing' }, { header: 'If-Match', code: 'invalid' }),
    {
      maxLength: 3,
    },
  ),
  question: fc.option(
    fc.record({
      at: fc.constant(AT.toISOString()),
      reason: fc.constantFrom('server_error' as const, 'aborted' as const),
    }),
  ),
});

function textOf(all: UsageRecord[]): string {
  const counts = createWindowCounts();
  return firstLineOf(AT) + all.map((record) => linesOf(record.caller, counts.add(record))).join('');
}

test('the file of a window yields the counts that the gateway had in memory, so that a window is the same from either source', () => {
  fc.assert(
    fc.property(fc.array(records, { minLength: 1, maxLength: 100 }), (all) => {
      const counts = createWindowCounts();
      for (const record of all) counts.add(record);
      const read = readWindow(textOf(all));
      const window = read?.counts.toWindow(NAME);
      expect(read?.at).toEqual(AT);
      expect(window).toEqual(counts.toWindow(NAME));
      expect(Value.Errors(UsageWindow, window)).toEqual([]);
      const counted = all.filter(({ outcome }) => outcome !== null).length;
      expect(window?.rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(counted);
      expect(window?.log.lines).toHaveLength(all.length);
    }),
  );
});

test('the file of a window counts every complete line when SIGKILL cut it off anywhere', () => {
  fc.assert(
    fc.property(fc.array(records, { minLength: 1, maxLength: 20 }), fc.nat(), (all, seed) => {
      const text = textOf(all);
      const cut = text.slice(0, seed % (text.length + 1));
      const wholeRequests = cut
        .split('\n')
        .slice(0, -1)
        .filter((line) => line.startsWith('r ')).length;
      expect(readWindow(cut)?.counts.toWindow(NAME).log.lines ?? []).toHaveLength(wholeRequests);
    }),
  );
});

test('the file of a window is an error when it contains lines that no writer produces', () => {
  expect(() => readWindow('w 2026-11-21T10:00:01.000Z\nx 1 2\n')).toThrow('"x"');
  const withoutCaller = textOf(fc.sample(records, 1)).replace(/^k .*\n/m, '');
  expect(() => readWindow(withoutCaller)).toThrow('undefined caller');
});
