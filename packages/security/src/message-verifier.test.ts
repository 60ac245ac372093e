import { expect, it } from 'vitest';
import { createIssuerKeys } from '../test/issuer-keys.ts';
import { createMessageVerifier } from './message-verifier.ts';
import { parseSignerPublicKeys } from './signing-keys.ts';

const { publicKeys, signers } = createIssuerKeys();
const counted: string[] = [];
const verify = createMessageVerifier('payment_event', {
  findPublicKey: parseSignerPublicKeys(publicKeys),
  countUnverified: (kind, reason) => void counted.push(`${kind} ${reason}`),
});

it('the verifier verifies a signed message, and counts nothing', () => {
  expect(verify(signers.payments.sign('payment_event', { id: 'evt_1' }))).toBeNull();
  expect(counted).toEqual([]);
});

const { signature } = signers.payments.sign('payment_event', { id: 'evt_1' });

it.each([
  ['unsigned', { id: 'evt_1' }],
  ['altered', { id: 'evt_2', signature }],
  ['wrong-issuer', signers.gateway.sign('payment_event', { id: 'evt_1' })],
  ['malformed', 'evt_1'],
  ['malformed', undefined],
  ['malformed', { id: '\ud800', signature }],
])('the verifier rejects a message that is %s with a reason, and counts it', (reason, message) => {
  counted.length = 0;
  expect(verify(message)).toMatch(/^The message fails verification/);
  expect(counted).toEqual([`payment_event ${reason}`]);
});
