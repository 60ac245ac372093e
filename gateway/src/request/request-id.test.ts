import { idTimeMs } from '@tollgate/contracts/platform/id-time';
import { isId } from '@tollgate/contracts/platform/ids';
import { expect, test } from 'vitest';
import { newRequestId } from './request-id.ts';

/** The characters that hold the version and the variant of the UUIDv7, after `req_` and the time. */
const VERSION = 'req_'.length + 10;
const VARIANT = VERSION + 3;

test.each([0, 1_700_000_000_123, 2 ** 48 - 1])('a request id contains its time, %i', (timeMs) => {
  const id = newRequestId(timeMs);
  expect(isId('request', id)).toBe(true);
  expect(idTimeMs(id)).toBe(timeMs);
});

test('a request id has the version and the variant of a UUIDv7, and is random otherwise', () => {
  const ids = Array.from({ length: 5_000 }, () => newRequestId());
  const charactersAt = (place: number) => [...new Set(ids.map((id) => id[place]))].sort().join('');
  expect(charactersAt(VERSION)).toBe('ef');
  expect(charactersAt(VARIANT)).toBe('89abrstv');
  expect(charactersAt(VARIANT + 1)).toBe('0123456789abcdefghjkmnpqrstvwxyz');
});

test('a request id is unique within a millisecond', () => {
  const ids = Array.from({ length: 10_000 }, () => newRequestId(1_700_000_000_000));
  expect(new Set(ids).size).toBe(ids.length);
});
