import { Webhook } from 'standardwebhooks';

const secret = process.env['WEBHOOK_SECRET'];
// The library accepts an empty secret, with which anyone could sign.
if (!secret) throw new Error('WEBHOOK_SECRET is not set');
const webhook = new Webhook(secret);

/** Takes the raw, unparsed body. Throws if the request is not authentic. */
export function verify(rawBody: Buffer, headers: Record<string, string>) {
  return webhook.verify(rawBody, headers);
}
