import type { RequestPrincipal } from '@tollgate/contracts/applications/principal';
import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { parseKeyring } from './keyring.ts';
import {
  encodePrincipal,
  type SignedRequest,
  signPrincipal,
  verifyPrincipal,
} from './principal-signature.ts';

const keyText = (version: string, fill: number) => `${version}:${Buffer.alloc(32, fill).toString('base64')}`;
const keyring = parseKeyring(keyText('1', 7));
const nowMs = Date.parse('2026-01-01T00:00:00Z');
const principal: RequestPrincipal = {
  team_id: newId('team'),
  application_id: newId('application'),
  key_id: newId('apiKey'),
  environment: 'live',
  scopes: ['payment:create'],
  client_address: '192.0.2.1',
};
const request: SignedRequest = {
  method: 'POST',
  path: '/v1/payments',
  requestId: 'req_1',
  idempotencyKey: 'a',
  body: Buffer.from('{"amount":1}'),
};

function verify(changes: Partial<SignedRequest> = {}, options: { nowMs?: number; keys?: string } = {}) {
  const encoded = encodePrincipal(principal);
  const signature = signPrincipal(keyring, encoded, request, nowMs);
  return verifyPrincipal(
    parseKeyring(options.keys ?? keyText('1', 7)),
    { principal: encoded, signature },
    { ...request, ...changes },
    options.nowMs ?? nowMs,
  );
}

it('the principal that the gateway sends equals the signed principal', () => {
  expect(verify()).toEqual(principal);
});

it.each<[string, Partial<SignedRequest>]>([
  ['method', { method: 'GET' }],
  ['path', { path: '/v1/payments/x' }],
  ['request id', { requestId: 'req_2' }],
  ['idempotency key', { idempotencyKey: 'b' }],
  ['body', { body: Buffer.from('{"amount":2}') }],
])('the principal that the gateway sends is rejected when the %s differs', (_, change) => {
  expect(() => verify(change)).toThrow('does not match the request');
});

it('the principal that the gateway sends is accepted when clocks differ by up to 30 s in either direction, and rejected beyond', () => {
  for (const offMs of [-30_000, 30_000]) expect(verify({}, { nowMs: nowMs + offMs })).toEqual(principal);
  for (const offMs of [-31_000, 31_000])
    expect(() => verify({}, { nowMs: nowMs + offMs })).toThrow('30 s off');
});

it('the principal that the gateway sends is accepted after a key rotation until the old key is removed', () => {
  expect(verify({}, { keys: `${keyText('2', 8)},${keyText('1', 7)}` })).toEqual(principal);
  expect(() => verify({}, { keys: keyText('2', 8) })).toThrow('unknown key version');
  expect(() => verify({}, { keys: keyText('1', 8) })).toThrow('does not match');
});

it('the principal that the gateway sends is rejected when unsigned or malformed', () => {
  const check = (signature: string | undefined) =>
    verifyPrincipal(keyring, { principal: 'e30', signature }, request, nowMs);
  expect(() => check(undefined)).toThrow('missing');
  expect(() => check('t=1,v=1,s=00')).toThrow('form');
});
