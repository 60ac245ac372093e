import { Webhook } from 'standardwebhooks';

const secret = process.env['WEBHOOK_SECRET'];
// An empty secret would be taken, and anybody could sign with it.
if (!secret) throw new Error('WEBHOOK_SECRET is not set');
const webhook = new Webhook(secret);

/** Takes the body as it came, not parsed. Throws when the request is not to be trusted. */
export function verify(rawBody: Buffer, headers: Record<string, string>) {
  return webhook.verify(rawBody, headers);
}
