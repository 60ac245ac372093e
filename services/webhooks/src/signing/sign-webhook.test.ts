import { newId } from '@tollgate/contracts/platform/ids';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { newWebhookSecret } from '../secrets/signing-secret.ts';
import { signatureHeaders } from './sign-webhook.ts';

const nowS = () => Math.floor(Date.now() / 1000);

it('the signature is that of the Standard Webhooks test vector', () => {
  const headers = signatureHeaders(
    {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampS: 1614265330,
      body: Buffer.from('{"test": 2432232314}'),
    },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  );
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('the signature of any body is accepted by the official library', () => {
  fc.assert(
    fc.property(fc.json(), (body) => {
      const secret = newWebhookSecret();
      const headers = signatureHeaders({ id: newId('event'), timestampS: nowS(), body: Buffer.from(body) }, [
        secret,
      ]);
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    }),
  );
});

it('the signature is accepted with the old and the new secret of a rotation, and with no other', () => {
  const [old, current] = [newWebhookSecret(), newWebhookSecret()];
  const headers = signatureHeaders({ id: newId('event'), timestampS: nowS(), body: Buffer.from('{}') }, [
    current,
    old,
  ]);
  expect(new Webhook(old).verify('{}', headers)).toEqual({});
  expect(new Webhook(current).verify('{}', headers)).toEqual({});
  expect(() => new Webhook(newWebhookSecret()).verify('{}', headers)).toThrow();
});
