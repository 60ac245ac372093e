import { newId } from '@tollgate/contracts/platform/ids';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newWebhookSecret } from '../secrets/signing-secret.ts';
import { isSignedBy, parseSignatures, type ReceivedWebhook } from './received-webhook.ts';
import { signatureHeaders } from './sign-webhook.ts';

const KNOWN: ReceivedWebhook = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  body: '{"test": 2432232314}',
};
const KNOWN_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function delivered(body: string, timestampS: number, secrets: string[]): ReceivedWebhook {
  const id = newId('event');
  const headers = signatureHeaders({ id, timestampS, body: Buffer.from(body) }, secrets);
  return {
    id,
    timestamp: headers['webhook-timestamp'] as string,
    signature: headers['webhook-signature'] as string,
    body,
  };
}

const aDelivery = fc.record({
  body: fc.string({ unit: 'grapheme', minLength: 1 }),
  timestampS: fc.integer({ min: 0, max: 4_000_000_000 }),
  secrets: fc.array(fc.constant(null).map(newWebhookSecret), { minLength: 1, maxLength: 3 }),
});

it('a received webhook matches the secret of the Standard Webhooks test vector', () => {
  expect(isSignedBy(KNOWN_SECRET, KNOWN)).toBe(true);
  expect(isSignedBy(newWebhookSecret(), KNOWN)).toBe(false);
});

it('a received webhook matches every secret that signed it, and no other', () => {
  fc.assert(
    fc.property(aDelivery, ({ body, timestampS, secrets }) => {
      const received = delivered(body, timestampS, secrets);
      for (const secret of secrets) expect(isSignedBy(secret, received)).toBe(true);
      expect(isSignedBy(newWebhookSecret(), received)).toBe(false);
    }),
  );
});

it('a received webhook does not match when a byte of its id, timestamp, or body is changed', () => {
  fc.assert(
    fc.property(
      aDelivery,
      fc.constantFrom('id', 'timestamp', 'body'),
      fc.nat(),
      fc.integer({ min: 1, max: 127 }),
      ({ body, timestampS, secrets }, part, position, difference) => {
        const received = delivered(body, timestampS, secrets);
        const bytes = Buffer.from(received[part]);
        const at = position % bytes.length;
        // Below 128 of what is ASCII, so that it stays text.
        fc.pre((bytes[at] as number) < 128);
        bytes[at] = (bytes[at] as number) ^ difference;
        const changed = { ...received, [part]: bytes.toString() };
        for (const secret of secrets) expect(isSignedBy(secret, changed)).toBe(false);
      },
    ),
  );
});

it('a received webhook does not match when a character of its signature is changed', () => {
  const signature = KNOWN.signature.slice('v1,'.length);
  for (let at = 0; at < signature.length; at += 1) {
    const other = signature[at] === 'A' ? 'Z' : 'A';
    const changed = `v1,${signature.slice(0, at)}${other}${signature.slice(at + 1)}`;
    expect(isSignedBy(KNOWN_SECRET, { ...KNOWN, signature: changed }), changed).toBe(false);
  }
});

it('a received webhook is verified by its version 1 signatures only, in any position of the list', () => {
  const among = (signature: string) => isSignedBy(KNOWN_SECRET, { ...KNOWN, signature });
  expect(among(`v1a,AAAA ${KNOWN.signature} v2,BBBB`)).toBe(true);
  expect(among(KNOWN.signature.replace('v1,', 'v2,'))).toBe(false);
  expect(among(KNOWN.signature.replace('v1,', ''))).toBe(false);
  expect(among('')).toBe(false);
});

it('a received webhook ignores signatures of another length', () => {
  for (const garbled of ['v1,', 'v1,AAAA', `v1,${'A'.repeat(44)}`, `v1,${'A'.repeat(87)}=`]) {
    expect(parseSignatures(garbled), garbled).toEqual([]);
  }
});
