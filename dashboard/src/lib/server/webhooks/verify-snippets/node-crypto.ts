import { createHmac, timingSafeEqual } from 'node:crypto';

const secret = process.env['WEBHOOK_SECRET'];
if (!secret?.startsWith('whsec_')) throw new Error('WEBHOOK_SECRET is not set');
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
const TOLERANCE_S = 5 * 60;

/** Takes the raw, unparsed body. Throws if the request is not authentic. */
export function verify(rawBody: Buffer, headers: Record<string, string>) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || !timestamp || !signatures) throw new Error('A webhook header is missing');

  // NaN fails this comparison, so a malformed timestamp is rejected.
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S;
  if (!isRecent) throw new Error('The request is more than five minutes old or ahead');

  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  const isSigned = signatures.split(' ').some((entry) => {
    const [version, encoded = ''] = entry.split(',');
    const signature = Buffer.from(encoded, 'base64');
    return version === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  if (!isSigned) throw new Error('No signature matches');
  return JSON.parse(rawBody.toString('utf8'));
}
