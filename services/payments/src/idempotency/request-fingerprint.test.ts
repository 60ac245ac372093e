import { describe, expect, test } from 'vitest';
import { assertSameRequest, type FingerprintedRequest, keyToBind } from './request-fingerprint.ts';

describe('the fingerprint of a request', () => {
  const request = { method: 'POST', path: '/v1/payments', body: { amount: 100, currency: 'EUR' } };

  test('the fingerprint of a request names its algorithm version', () => {
    expect(fingerprint(request)).toMatch(/^1:[0-9a-f]{64}$/);
  });

  test('the fingerprint of a request is stable, because stored fingerprints outlive every release', () => {
    // SHA-256 of "POST\n/v1/payments\n{\"amount\":100,\"currency\":\"EUR\"}"
    expect(fingerprint(request)).toBe('1:5fa3511dc8319bd60a41af6ef8f583764f1c4c751b7b9c265719fc5969c7b70d');
  });

  test('the fingerprint of a request does not depend on the order of members or the notation of numbers', () => {
    const reordered = JSON.parse('{"currency":"EUR","amount":1e2}');
    expect(fingerprint({ ...request, body: reordered })).toBe(fingerprint(request));
  });

  test.each([
    ['method', { ...request, method: 'PUT' }],
    ['path', { ...request, path: '/v1/payments/x/cancel' }],
    ['value', { ...request, body: { amount: 101, currency: 'EUR' } }],
    ['case of a value', { ...request, body: { amount: 100, currency: 'eur' } }],
    ['explicit null', { ...request, body: { amount: 100, currency: 'EUR', purpose: null } }],
  ])('the fingerprint of a request differs with another %s', (_what, other) => {
    expect(fingerprint(other)).not.toBe(fingerprint(request));
  });

  test('the fingerprint of a request of another request causes the key to be rejected', () => {
    const bound = keyToBind('k', request);
    expect(() => assertSameRequest(bound, bound)).not.toThrow();
    expect(() => assertSameRequest(bound, { key: 'k', fingerprint: '1:00' })).toThrow(
      'idempotency-key-reused',
    );
  });
});

function fingerprint(request: FingerprintedRequest): string {
  return keyToBind('k', request).fingerprint;
}
