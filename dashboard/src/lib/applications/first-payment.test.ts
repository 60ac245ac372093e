import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { firstPaymentCommand, keyToComplete } from './first-payment.ts';

it('a shell parses the command into the intended request', () => {
  const command = firstPaymentCommand({
    baseUrl: 'https://pay.example.com',
    secret: 'tg_live_0123456789abcdef_s3cr3t',
    idempotencyKey: '3f0f3a52-7a2f-4b8e-9d55-0d5a8a1f3f10',
  });
  // `curl` is a function that prints its arguments, one per line.
  const told = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], {
    encoding: 'utf8',
  });
  expect(told.trimEnd().split('\n')).toEqual([
    '-i',
    'https://pay.example.com/v1/payments',
    '-H',
    'Authorization: Bearer tg_live_0123456789abcdef_s3cr3t',
    '-H',
    'Idempotency-Key: 3f0f3a52-7a2f-4b8e-9d55-0d5a8a1f3f10',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"amount":1999,"currency":"EUR","reference":"order-1"}',
  ]);
});

it('the first-payment command replaces the secret part of a key with a placeholder', () => {
  const key = { lookup_id: '0123456789abcdef' };
  expect(keyToComplete('live', key)).toBe('tg_live_0123456789abcdef_REST_OF_YOUR_KEY');
  expect(keyToComplete('sandbox')).toBe('tg_sandbox_REST_OF_YOUR_KEY');
});
