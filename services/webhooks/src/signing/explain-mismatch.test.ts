import { newId } from '@tollgate/contracts/platform/ids';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret } from '../secrets/signing-secret.ts';
import { checkAge } from './check-headers.ts';
import { explainMismatch, type SenderKnowledge } from './explain-mismatch.ts';
import type { ReceivedWebhook } from './received-webhook.ts';
import { signatureHeaders } from './sign-webhook.ts';

const secret = newWebhookSecret();
const application_id = newId('application');
const sentBody = '{"type":"payment.created","data":{"purpose":"Bücher – 10 €","amount":10}}';
const event = { application_id, environment: 'sandbox', body: sentBody } as const;
const known: SenderKnowledge = {
  application_id,
  environment: 'sandbox',
  signingSecrets: [secret],
  expiredSecrets: [],
  otherEndpoints: [],
  event,
};

function delivered(by: string = secret): ReceivedWebhook {
  const headers = signatureHeaders({ id: 'evt_1', timestampS: 1_700_000_000, body: Buffer.from(sentBody) }, [
    by,
  ]);
  return {
    id: 'evt_1',
    timestamp: '1700000000',
    signature: String(headers['webhook-signature']),
    body: sentBody,
  };
}

const codes = (received: Partial<ReceivedWebhook>, more: Partial<SenderKnowledge> = {}) =>
  explainMismatch({ ...delivered(), ...received }, { ...known, ...more }).map(({ code }) => code);
const detail = (received: Partial<ReceivedWebhook>, more: Partial<SenderKnowledge> = {}) =>
  explainMismatch({ ...delivered(), ...received }, { ...known, ...more })[0]?.detail;

describe('why a received webhook does not verify', () => {
  it.each([
    [
      'no headers',
      { id: '', timestamp: '', signature: '' },
      ['signature-missing', 'id-missing', 'timestamp-missing'],
    ],
    ['a date as timestamp', { timestamp: '2026-01-01T00:00:00Z' }, ['timestamp-malformed']],
    ['milliseconds', { timestamp: '1700000000000' }, ['timestamp-in-milliseconds']],
    ['a signature in hexadecimal', { signature: `sha256=${'0f'.repeat(32)}` }, ['signature-malformed']],
    [
      'a signature that was cut off',
      { signature: delivered().signature.slice(0, 30) },
      ['signature-malformed'],
    ],
    [
      'a signature without its version',
      { signature: delivered().signature.slice(3) },
      ['signature-malformed'],
    ],
    ['another timestamp', { timestamp: '1700000001' }, ['signature-differs']],
    ['no body', { body: '' }, ['body-empty']],
    ['a line break at the end', { body: `${sentBody}\n` }, ['body-trailing-line-break']],
    ['the JSON with spaces', { body: JSON.stringify(JSON.parse(sentBody), null, 2) }, ['body-reserialized']],
    ['the JSON in another order', { body: reordered() }, ['body-reserialized']],
    ['UTF-8 read as Latin-1', { body: Buffer.from(sentBody).toString('latin1') }, ['body-wrong-charset']],
    ['UTF-8 read as windows-1252', { body: asWindows1252() }, ['body-wrong-charset']],
    ['one digit changed', { body: sentBody.replace('10}', '11}') }, ['body-differs']],
    [
      'another body and another timestamp',
      { body: '{}', timestamp: '1700000001' },
      ['body-differs', 'signature-differs'],
    ],
  ] as const)('%s', (_, received, expected) => {
    expect(codes(received)).toEqual(expected);
  });

  it('why a received webhook does not verify names the first byte at which the body differs, and shows what follows', () => {
    expect(detail({ body: sentBody.replace('10}', '11}') })).toContain(
      `from byte ${Buffer.byteLength(sentBody) - 2} on: “1}}” instead of “0}}”`,
    );
    expect(detail({ body: sentBody.slice(0, 20) })).toContain('ends after 20 of the');
    expect(detail({ body: `${sentBody}x` })).toContain('with “x”');
  });

  it('why a received webhook does not verify names the endpoint whose secret signed it, even if the body was changed', () => {
    const other = { id: newId('webhookEndpoint'), url: 'https://b.example/', secrets: [newWebhookSecret()] };
    const received = delivered(other.secrets[0]);
    expect(codes(received, { otherEndpoints: [other] })).toEqual(['secret-of-other-endpoint']);
    expect(detail(received, { otherEndpoints: [other] })).toContain(`https://b.example/ (${other.id})`);
    expect(codes({ ...received, body: `${sentBody}\n` }, { otherEndpoints: [other] })).toEqual([
      'secret-of-other-endpoint',
      'body-trailing-line-break',
    ]);
  });

  it('why a received webhook does not verify says when the secret that signed it expired', () => {
    const expired = { secret: newWebhookSecret(), expiredAt: new Date('2026-01-02T03:04:05Z') };
    expect(codes(delivered(expired.secret), { expiredSecrets: [expired] })).toEqual(['secret-expired']);
    expect(detail(delivered(expired.secret), { expiredSecrets: [expired] })).toContain(
      '2026-01-02T03:04:05.000Z',
    );
  });

  it('why a received webhook does not verify does not compare it with an event that this endpoint does not receive', () => {
    expect(codes({ body: 'x' }, { event: null })).toEqual(['event-unknown']);
    expect(codes({ body: 'x' }, { event: { ...event, environment: 'live' } })).toEqual([
      'event-of-other-environment',
    ]);
    const elsewhere = { ...event, application_id: newId('application') };
    expect(codes({ body: 'x' }, { event: elsewhere })).toEqual(['event-of-other-application']);
  });

  it('why a received webhook does not verify never shows a secret or the correct signature', () => {
    const right = delivered().signature.slice('v1,'.length);
    const expired = [{ secret: newWebhookSecret(), expiredAt: new Date() }];
    const others = [
      { id: newId('webhookEndpoint'), url: 'https://b.example/', secrets: [newWebhookSecret()] },
    ];
    for (const changed of [{ body: '{}' }, { timestamp: '1' }, { id: '' }, { signature: 'v1,x' }]) {
      const response = JSON.stringify(
        explainMismatch(
          { ...delivered(), signature: `v1,${'A'.repeat(43)}=`, ...changed },
          { ...known, expiredSecrets: expired, otherEndpoints: others },
        ),
      );
      expect(response).not.toContain('whsec_');
      expect(response).not.toContain(right);
    }
  });
});

it.each([
  [300, []],
  [301, ['timestamp-too-old']],
  [-300, []],
  [-301, ['timestamp-in-future']],
  [null, []],
] as const)('the age of a received webhook of %s seconds', (ageS, expected) => {
  expect(checkAge(ageS).map(({ code }) => code)).toEqual(expected);
});

function reordered(): string {
  const { type, data } = JSON.parse(sentBody);
  return JSON.stringify({ data, type });
}

function asWindows1252(): string {
  return new TextDecoder('windows-1252').decode(Buffer.from(sentBody));
}
