import { newId } from '@tollgate/contracts/platform/ids';
import { createLogger } from '@tollgate/runtime/logger';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UsageRecord } from './usage-record.ts';
import { createUsageRecorder } from './usage-recorder.ts';
import type { OpenWindow, UsageSpool } from './usage-spool.ts';

const RECORD: UsageRecord = {
  caller: {
    team_id: newId('team'),
    application_id: newId('application'),
    key_id: newId('apiKey'),
    environment: 'sandbox',
  },
  operation: 'create_payment',
  outcome: 'succeeded',
  durationUs: 1,
  id: newId('request'),
  status: 201,
  code: null,
  address: '192.0.2.1',
  paymentId: null,
  idempotencyKey: null,
  errors: [],
  question: null,
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A disk that fails to open the first window. */
function spoolThatFailsOnce(): Pick<UsageSpool, 'openNext'> {
  let number = 0;
  return {
    openNext(): OpenWindow {
      number += 1;
      if (number === 1) throw new Error('ENOSPC');
      return { number, append() {}, close() {} };
    },
  };
}

test('the usage recorder keeps a window open for its full second after an earlier file failed to open', () => {
  const closed: number[] = [];
  const recorder = createUsageRecorder({
    spool: spoolThatFailsOnce() as UsageSpool,
    clock: { now: () => Date.now() },
    logger: createLogger({ service: 'gateway', level: 'silent' }),
    onClosed: (number) => closed.push(number),
    onWriteFailure: () => {},
  });
  recorder.record(RECORD);
  vi.advanceTimersByTime(600);
  recorder.record(RECORD);
  vi.advanceTimersByTime(600);
  expect(closed).toEqual([]);
  vi.advanceTimersByTime(400);
  expect(closed).toEqual([2]);
});
