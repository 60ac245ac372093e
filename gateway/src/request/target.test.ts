import { describe, expect, test } from 'vitest';
import { findTargetProblem } from './target.ts';

const MAX_TARGET_LENGTH = 2_048;

describe('a request target', () => {
  test.each([
    '/v1/payments',
    '/v1/payments/pay_01h455vb4pex5vsknk084sn02q',
    '/v1/payments/pay_01h455vb4pex5vsknk084sn02q/cancel',
    '/v1/payments?',
    '/v1/payments?a=%ff;b',
    '/docs/errors/invalid-request',
    '/docs/',
    '/openapi.json',
    '/v1/payments/a%20b',
    '/',
  ])('%j is routable', (target) => {
    expect(findTargetProblem(target, MAX_TARGET_LENGTH)).toBeNull();
  });

  test.each([
    '//v1/payments',
    '/v1/payments/',
    '/docs/guides/',
    '/docs//',
    '/v1//payments',
    '/v1/./payments',
    '/v1/payments/..',
    '/docs/../v1/payments',
    '/v1/payments/%2e%2e/x',
    '/v1%2Fpayments',
    '/v1/payments%5ccancel',
    '/v1/payments;v=2',
    '/docs/..;/v1',
  ])('%j is not found', (target) => {
    expect(findTargetProblem(target, MAX_TARGET_LENGTH)?.code).toBe('route-not-found');
  });

  test.each([
    '',
    '*',
    'v1/payments',
    'http://127.0.0.1/v1/payments',
    '/v1\\payments',
    '/v1/payments/%00',
    '/v1/payments/%',
    '/v1/payments/%zz',
    '/v1/payments/%ff',
    '/v1/payments/%c0%af',
    '/v1/payments/%ed%a0%80',
    '/v1/payments#fragment',
    '/v1/payments/\u00e9',
    `/${'a'.repeat(MAX_TARGET_LENGTH)}`,
    `/v1/payments?${'a'.repeat(MAX_TARGET_LENGTH)}`,
  ])('%j is malformed', (target) => {
    expect(findTargetProblem(target, MAX_TARGET_LENGTH)?.code).toBe('malformed-request');
  });
});
