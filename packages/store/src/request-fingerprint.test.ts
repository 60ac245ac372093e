import { describe, expect, test } from 'vitest';
import { assertSameFingerprint, fingerprint } from './request-fingerprint.ts';

describe('fingerprint', () => {
  const operation = 'rpc.applications.create';
  const request = { name: 'Shop', overlap_s: 100 };

  test('fingerprint names its algorithm version', () => {
    expect(fingerprint(operation, request)).toMatch(/^1:[0-9a-f]{64}$/);
  });

  test('fingerprint does not depend on the order of members or the notation of numbers', () => {
    const reordered = JSON.parse('{"overlap_s":1e2,"name":"Shop"}');
    expect(fingerprint(operation, reordered)).toBe(fingerprint(operation, request));
  });

  test.each([
    ['value', { ...request, name: 'Store' }],
    ['case of a value', { ...request, name: 'shop' }],
    ['explicit null', { ...request, labels: null }],
  ])('fingerprint differs with another %s', (_what, other) => {
    expect(fingerprint(operation, other)).not.toBe(fingerprint(operation, request));
  });

  test('fingerprint differs with another operation', () => {
    expect(fingerprint('rpc.applications.create_key', request)).not.toBe(fingerprint(operation, request));
  });

  test('fingerprint of another request causes the key to be rejected', () => {
    expect(() => assertSameFingerprint('1:00', '1:00')).not.toThrow();
    expect(() => assertSameFingerprint('1:00', '1:01')).toThrow('idempotency-key-reused');
  });
});
