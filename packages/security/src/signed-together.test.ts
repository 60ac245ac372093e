import { createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import type { Signature } from '@tollgate/contracts/platform/signature';
import { expect, it } from 'vitest';
import { createIssuerKeys, createSigningKeys } from '../test/issuer-keys.ts';
import {
  createSignatureVerifier,
  createSigner,
  MAX_SIGNATURE_BYTES,
  MAX_SIGNED_TOGETHER,
} from './signature.ts';
import { parseSignerPublicKeys, parseSigningKeys } from './signing-keys.ts';

const { publicKeys, signers } = createIssuerKeys();
const findPublicKey = parseSignerPublicKeys(publicKeys);
const verifier = createSignatureVerifier(findPublicKey);
const check = (value: unknown) => verifier.check('payment_event', value);
const VALID = { issuer: 'payments', fault: null };

interface Value {
  id: string;
  amount?: number;
}
type Signed = Value & { signature: Signature };

const someValues = (count: number, name = 'evt'): Value[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}_${index}` }));
const signTogether = (values: Value[]): Signed[] => signers.payments.signTogether('payment_event', values);
const [first, second, third] = signTogether(someValues(3)) as [Signed, Signed, Signed];
const [other] = signTogether(someValues(2, 'other')) as [Signed, Signed];
const single = signers.payments.sign('payment_event', { id: 'evt_0' });

function batchOf({ signature }: Signed) {
  if (signature.batch === undefined) throw new Error('The value was signed alone.');
  return signature.batch;
}

it('values that are signed together have one signature for at most so many, and each is valid alone', () => {
  const signed = signTogether(someValues(2 * MAX_SIGNED_TOGETHER + 1));
  expect(new Set(signed.map(({ signature }) => signature.value)).size).toBe(3);
  for (const value of signed.toReversed()) {
    const fresh = createSignatureVerifier(findPublicKey);
    expect(fresh.check('payment_event', JSON.parse(JSON.stringify(value)))).toEqual(VALID);
    expect(check(value)).toEqual(VALID);
  }
  expect(signed.at(-1)?.signature).not.toHaveProperty('batch');
  expect(signTogether([])).toEqual([]);
});

it('values that are signed together, however many, are valid with no signature but their own', () => {
  for (let count = 2; count <= MAX_SIGNED_TOGETHER + 2; count += 1) {
    const signed = signTogether(someValues(count));
    for (const value of signed)
      for (const { signature } of signed)
        expect(check({ ...value, signature }).fault).toBe(signature === value.signature ? null : 'altered');
  }
});

const withBatch = (value: Signed, batch: unknown) => ({ ...value, signature: { ...value.signature, batch } });
const hashOf = (salt: string, value: object) =>
  hash('sha256', `${salt}\ntollgate-payment_event-v1\n""\n${canonicalJson(value)}`, 'base64url');

it.each<[what: string, value: unknown]>([
  ['with another field', { ...first, amount: 2 }],
  ['with the signature of its neighbor', { ...first, signature: second.signature }],
  ['with the salt of its neighbor', withBatch(first, { ...batchOf(first), salt: batchOf(second).salt })],
  ['with the signature of another batch', { ...first, signature: other.signature }],
  ['with the hashes of another batch', withBatch(first, { ...batchOf(other), salt: batchOf(first).salt })],
  ['with a hash added', withBatch(first, { ...batchOf(first), hashes: [...batchOf(first).hashes, 'x'] })],
  [
    'with a hash removed',
    withBatch(first, { ...batchOf(first), hashes: batchOf(first).hashes.slice(0, -1) }),
  ],
  [
    'with the hashes in another order',
    withBatch(first, { ...batchOf(first), hashes: batchOf(first).hashes.toReversed() }),
  ],
  ['with the hashes as one', withBatch(first, { ...batchOf(first), hashes: [batchOf(first).hashes.join()] })],
  ['without hashes', withBatch(first, { ...batchOf(first), hashes: [] })],
  ['without its batch', withBatch(first, undefined)],
  ['of another kind', signers.payments.signTogether('sandbox_reset', someValues(2))[0]],
  [
    'whose single signature is shown as that of a batch',
    withBatch(single, { salt: 's', hashes: [hashOf('s', { id: 'evt_0' })] }),
  ],
  [
    'that adds itself to a batch',
    withBatch(
      { ...third, id: 'evt_9' },
      { salt: 's', hashes: [...batchOf(third).hashes, hashOf('s', { id: 'evt_9' })] },
    ),
  ],
])('a value %s is altered, also when its batch was verified', (_what, value) => {
  for (const valid of [first, second, third, other]) expect(check(valid)).toEqual(VALID);
  expect(check(value)).toEqual({ fault: 'altered' });
});

it.each([
  ['text'],
  [{}],
  [{ salt: 1, hashes: [] }],
  [{ salt: 's', hashes: 'h' }],
  [{ salt: 's', hashes: [1] }],
  [null],
])('a batch is not read from %j', (batch) => {
  expect(check(withBatch(first, batch))).toEqual({ fault: 'malformed' });
});

it('a batch is not valid from an issuer that may not sign this kind, or under the name of another one', () => {
  const [signed] = signers.applications.signTogether('payment_event', someValues(2)) as [Signed, Signed];
  expect(check(signed)).toEqual({ fault: 'wrong-issuer' });
  const renamed = { ...signed, signature: { ...signed.signature, issuer: 'payments' } };
  expect(check(renamed)).toEqual({ fault: 'altered' });
});

it('a batch that was verified is no longer valid when its key is removed or replaced', () => {
  let key: KeyObject | undefined = findPublicKey('payments', '1');
  const changing = createSignatureVerifier(() => key);
  expect(changing.check('payment_event', first)).toEqual(VALID);
  key = createPublicKey(generateKeyPairSync('ed25519').privateKey);
  expect(changing.check('payment_event', second)).toEqual({ fault: 'altered' });
  key = undefined;
  expect(changing.check('payment_event', third)).toEqual({ fault: 'unknown-key' });
});

it('the hashes of a batch differ for the same values, so that they confirm no guess of erased data', () => {
  const hashes = [0, 1].flatMap(() => batchOf(signTogether(someValues(2))[0] as Signed).hashes);
  expect(new Set(hashes).size).toBe(4);
});

it('a signature needs no more room than a page leaves for it', () => {
  const { signTogether } = createSigner(parseSigningKeys('applications', createSigningKeys('v'.repeat(16))));
  const [{ signature }] = signTogether('payment_event', someValues(MAX_SIGNED_TOGETHER)) as [Signed];
  expect(JSON.stringify({ signature }).length).toBeLessThanOrEqual(MAX_SIGNATURE_BYTES);
});
