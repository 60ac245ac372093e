import { expect, it } from 'vitest';
import { type AttemptRecord, countedAttempt, SUBJECT_POLICY, THROTTLE_MEMORY_MS } from './throttle.ts';

const start = new Date('2026-01-01T00:00:00Z');
const never: AttemptRecord = {
  _id: 'k',
  failures: 0,
  blocked_until: new Date(0),
  last_attempt_at: new Date(0),
};

/** Fails the given number of times, each time as soon as allowed. Returns the last record and the waits. */
function failing(times: number): { record: AttemptRecord; waitsS: number[] } {
  let record = never;
  let now = start;
  const waitsS: number[] = [];
  for (let time = 0; time < times; time++) {
    record = countedAttempt(record, SUBJECT_POLICY, now) as AttemptRecord;
    waitsS.push((record.blocked_until.getTime() - now.getTime()) / 1000);
    now = record.blocked_until;
  }
  return { record, waitsS };
}

it('the throttle allows five failures, then doubles the wait up to a quarter of an hour', () => {
  expect(failing(18).waitsS).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

it('the throttle rejects until the exact end of the wait, and does not count a rejected attempt', () => {
  const { record } = failing(8);
  const end = record.blocked_until.getTime();
  expect(countedAttempt(record, SUBJECT_POLICY, new Date(end - 1))).toBeNull();
  expect(countedAttempt(record, SUBJECT_POLICY, new Date(end))).toMatchObject({ failures: 9 });
});

it('the throttle forgets failures after a day without an attempt', () => {
  const { record } = failing(30);
  const later = new Date(record.last_attempt_at.getTime() + THROTTLE_MEMORY_MS + 1);
  expect(countedAttempt(record, SUBJECT_POLICY, later)).toMatchObject({ failures: 1, blocked_until: later });
});

it('the throttle stays at the longest wait, however many failures follow', () => {
  const record = { ...never, failures: 100_000 };
  const recent = { ...record, last_attempt_at: start, blocked_until: start };
  const counted = countedAttempt(recent, SUBJECT_POLICY, start);
  expect(counted?.blocked_until.getTime()).toBe(start.getTime() + SUBJECT_POLICY.maxDelayMs);
});
