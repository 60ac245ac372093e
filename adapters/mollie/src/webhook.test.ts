import { createHmac } from 'node:crypto';
import { InvalidWebhook } from '@tollgate/processor-adapter/adapter';
import { expect, it } from 'vitest';
import { paymentIdOf, verifyWebhook } from './webhook.ts';

const EVENT = '{"resource":"event","type":"payment.paid","entityId":"tr_7UhSN1zuXS"}';

it('verifyWebhook accepts the unsigned webhook of a payment, which contains nothing but an id', () => {
  expect(verifyWebhook(request('id=tr_7UhSN1zuXS'), [])).toBe('id=tr_7UhSN1zuXS');
});

it.each(['sha256=', ''])(
  'verifyWebhook accepts a signature with the prefix "%s" by any of the secrets',
  (prefix) => {
    expect(verifyWebhook(request(EVENT, prefix + signature(EVENT, 'new')), ['old', 'new'])).toBe(EVENT);
  },
);

it('verifyWebhook accepts one of several signatures', () => {
  const both = `sha256=${signature(EVENT, 'old')}, sha256=${signature(EVENT, 'new')}`;
  expect(verifyWebhook(request(EVENT, both), ['new'])).toBe(EVENT);
});

it.each([
  ['of another secret', signature(EVENT, 'other')],
  ['of another body', signature(`${EVENT} `, 'secret')],
  ['that is empty', ''],
  ['that is cut', signature(EVENT, 'secret').slice(0, 32)],
  ['that is no hexadecimal number', 'z'.repeat(64)],
])('verifyWebhook rejects a signature %s', (_which, value) => {
  expect(() => verifyWebhook(request(EVENT, value), ['secret'])).toThrow(InvalidWebhook);
});

it('verifyWebhook rejects a signed webhook when no secret is configured', () => {
  expect(() => verifyWebhook(request(EVENT, signature(EVENT, 'secret')), [])).toThrow(InvalidWebhook);
});

it.each([
  ['id=tr_7UhSN1zuXS', 'tr_7UhSN1zuXS'],
  [EVENT, 'tr_7UhSN1zuXS'],
  ['id=sub_7UhSN1zuXS', null],
  ['id=tr_../customers', null],
  ['{"type":"hook.ping","entityId":"hook_1"}', null],
  ['{"entityId":7}', null],
  ['{', null],
  ['', null],
])('paymentIdOf reads %s as %s', (body, id) => {
  expect(paymentIdOf(body)).toBe(id);
});

function request(body: string, signatureHeader?: string) {
  return {
    headers: signatureHeader === undefined ? {} : { 'x-mollie-signature': signatureHeader },
    url: '/webhooks',
    body: Buffer.from(body),
  };
}

function signature(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
