import { expect, test, vi } from 'vitest';
import { codeOf } from '../test/shorthand.ts';
import { mongoError } from './bson/mongo-error.ts';
import {
  type ComputationLimit,
  keepBytes,
  passRecord,
  passWrite,
  requireSteps,
  spendSteps,
  timeLeftMs,
  withComputationLimit,
  withTimeLimit,
} from './computation-limit.ts';

const EXCEEDED = 96;
const limitOf = (maxSteps: number, more: Partial<ComputationLimit> = {}): ComputationLimit => ({
  maxSteps,
  exceeded() {
    throw mongoError('OperationFailed', 'too many steps');
  },
  ...more,
});
const codeWithin = (limit: ComputationLimit, run: () => void) =>
  codeOf(() => withComputationLimit(limit, run));

test('a computation ends exactly when it has spent its steps', () => {
  expect(codeWithin(limitOf(10), () => spendSteps(11))).toBe(EXCEEDED);
  withComputationLimit(limitOf(10), () => spendSteps(10));
});

test('a computation ends before work that may take more steps than remain', () => {
  expect(codeWithin(limitOf(10), () => requireSteps(11))).toBe(EXCEEDED);
  withComputationLimit(limitOf(10), () => {
    requireSteps(10);
    spendSteps(10);
  });
});

test('a computation has its own limit when nested in another computation', () => {
  withComputationLimit(limitOf(10), () => {
    withComputationLimit(limitOf(100), () => spendSteps(100));
    spendSteps(10);
    expect(codeOf(() => spendSteps(1))).toBe(EXCEEDED);
  });
});

test('a computation has no limit outside a request', () => {
  spendSteps(1e12);
  keepBytes(1e12);
});

test('a computation may take more steps for each record that it reads or writes, if the limit grows with records', () => {
  const growing = limitOf(10, { growsWithRecords: true });
  withComputationLimit(growing, () => {
    for (let record = 0; record < 1000; record++) {
      passRecord(800);
      passWrite();
      spendSteps(400);
    }
  });
  expect(
    codeWithin(limitOf(10), () => {
      passRecord(800);
      passWrite();
      spendSteps(11);
    }),
  ).toBe(EXCEEDED);
});

test('a computation ends when it keeps more than 100 MB', () => {
  expect(codeWithin(limitOf(10), () => keepBytes(101 * 1024 * 1024))).toBe(292);
  withComputationLimit(limitOf(10), () => keepBytes(99 * 1024 * 1024));
});

test('a computation ends when it is canceled', () => {
  const cancelled = limitOf(1e9, { isCancelled: () => true });
  expect(codeWithin(cancelled, () => spendSteps(100_000))).toBe(11601);
});

test('a computation ends when its time limit expires, by steps or by records', () => {
  const expired = (work: () => void) => codeOf(() => withTimeLimit(0, work));
  expect(expired(() => spendSteps(100_000))).toBe(50);
  expect(
    expired(() => {
      for (let record = 0; record < 1000; record++) passRecord();
    }),
  ).toBe(50);
});

test('a computation obeys the shorter of two time limits', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  withTimeLimit(100, () => {
    withTimeLimit(Number.POSITIVE_INFINITY, () => expect(timeLeftMs()).toBe(100));
    withTimeLimit(50, () => expect(timeLeftMs()).toBe(50));
    withTimeLimit(200, () => expect(timeLeftMs()).toBe(100));
  });
  expect(timeLeftMs()).toBe(Number.POSITIVE_INFINITY);
  clock.mockRestore();
});
