import { describe, expect, test } from 'vitest';
import { assertSameRequest, requestFingerprint } from './request-fingerprint.ts';

describe('requestFingerprint', () => {
  const request = { method: 'POST', path: '/v1/payments', body: { amount: 100, currency: 'EUR' } };

  test('names its algorithm version', () => {
    expect(requestFingerprint(request)).toMatch(/^1:[0-9a-f]{64}$/);
  });

  test('is stable, because stored fingerprints outlive every release', () => {
    // SHA-256 of "POST\n/v1/payments\n{\"amount\":100,\"currency\":\"EUR\"}"
    expect(requestFingerprint(request)).toBe(
      '1:5fa3511dc8319bd60a41af6ef8f583764f1c4c751b7b9c265719fc5969c7b70d',
    );
  });

  test('does not depend on the order of members or the notation of numbers', () => {
    const reordered = JSON.parse('{"currency":"EUR","amount":1e2}');
    expect(requestFingerprint({ ...request, body: reordered })).toBe(requestFingerprint(request));
  });

  test.each([
    ['method', { ...request, method: 'PUT' }],
    ['path', { ...request, path: '/v1/payments/x/cancel' }],
    ['value', { ...request, body: { amount: 101, currency: 'EUR' } }],
    ['case of a value', { ...request, body: { amount: 100, currency: 'eur' } }],
    ['explicit null', { ...request, body: { amount: 100, currency: 'EUR', purpose: null } }],
  ])('differs with another %s', (_what, other) => {
    expect(requestFingerprint(other)).not.toBe(requestFingerprint(request));
  });

  test('of another request causes the key to be rejected', () => {
    const bound = { key: 'k', fingerprint: requestFingerprint(request) };
    expect(() => assertSameRequest(bound, bound)).not.toThrow();
    expect(() => assertSameRequest(bound, { key: 'k', fingerprint: '1:00' })).toThrow(
      'idempotency-key-reused',
    );
  });
});
