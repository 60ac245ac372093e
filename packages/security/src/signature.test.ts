import { expect, it } from 'vitest';
import { createIssuerKeys, createSigningKeys } from '../test/issuer-keys.ts';
import { createSignatureVerifier, createSigner } from './signature.ts';
import { parseSignerPublicKeys, parseSigningKeys } from './signing-keys.ts';

const { publicKeys, signers } = createIssuerKeys();
const findPublicKey = parseSignerPublicKeys(publicKeys);
const verifier = createSignatureVerifier(findPublicKey);

it('a signature is valid for the value, whatever the order of its fields', () => {
  const signed = signers.payments.sign('payment_event', { id: 'evt_1', data: { b: 1, a: 2 } });
  const reordered = JSON.parse(
    `{"data":{"a":2,"b":1},"signature":${JSON.stringify(signed.signature)},"id":"evt_1"}`,
  );
  expect(verifier.check('payment_event', reordered)).toEqual({ issuer: 'payments', fault: null });
});

it('a signature is not valid for an altered value, an added field, or a removed one', () => {
  const signed = signers.payments.sign('payment_event', { id: 'evt_1', amount: 1 });
  const { amount: _, ...removed } = signed;
  for (const altered of [{ ...signed, amount: 2 }, { ...signed, more: true }, removed]) {
    expect(verifier.check('payment_event', altered)).toEqual({ fault: 'altered' });
  }
});

it('a signature is not valid for another kind', () => {
  const signed = signers.payments.sign('payment_event', { id: 'evt_1' });
  expect(verifier.check('audit_entry', signed)).toEqual({ fault: 'altered' });
});

it('a signature is not valid in another place', () => {
  const signed = signers.applications.sign('principal', { version: 1 }, 'app.a');
  expect(verifier.check('principal', signed, 'app.a').fault).toBeNull();
  expect(verifier.check('principal', signed, 'app.b')).toEqual({ fault: 'altered' });
});

it('a signature is not valid from an issuer that may not sign this kind', () => {
  const signed = signers.applications.sign('payment_event', { id: 'evt_1' });
  expect(verifier.check('payment_event', signed)).toEqual({ fault: 'wrong-issuer' });
});

it('a signature is not valid under the name of another issuer', () => {
  const signed = signers.applications.sign('payment_event', { id: 'evt_1' });
  const renamed = { ...signed, signature: { ...signed.signature, issuer: 'payments' } };
  expect(verifier.check('payment_event', renamed)).toEqual({ fault: 'altered' });
});

it('a signature is not valid from a key that the reader does not know', () => {
  const unknown = createSigner(parseSigningKeys('payments', createSigningKeys('2')));
  expect(verifier.check('payment_event', unknown.sign('payment_event', { id: 'evt_1' }))).toEqual({
    fault: 'unknown-key',
  });
});

it.each([['text'], [null], [{ signature: 'text' }], [{ signature: { issuer: 'payments' } }]])(
  'a signature is not read from %j',
  (value) => {
    expect(verifier.check('payment_event', value)).toEqual({ fault: 'malformed' });
  },
);

it('a signature is not valid when it is missing', () => {
  expect(verifier.check('payment_event', { id: 'evt_1' })).toEqual({ fault: 'unsigned' });
});
