import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { TollgateError } from '../src/index.ts';
import { generateTestRequest, verify } from '../src/webhooks.ts';
import { readCases, type WebhookCase } from './cases/case-file.ts';

/** Every form in which a framework passes headers and bytes. */
const FORMS = [
  ['a string and a record', (body: string) => body, (headers: Record<string, string>) => headers],
  [
    'bytes and Headers',
    (body: string) => Buffer.from(body),
    (headers: Record<string, string>) => new Headers(headers),
  ],
  [
    'a buffer',
    (body: string) => new TextEncoder().encode(body).buffer,
    (headers: Record<string, string>) => headers,
  ],
  [
    'a string and arrays',
    (body: string) => body,
    (headers: Record<string, string>) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  ],
] as const;

describe.each(FORMS)('the verification of %s', (_form, bodyOf, headersOf) => {
  it.each(readCases<WebhookCase>('webhooks.json'))('$name', async (one) => {
    // A header of Node can hold any character, one of fetch cannot.
    const isLatin = Object.values(one.headers).every((value) => /^[\x20-\x7e]*$/.test(value));
    const headers = isLatin ? headersOf(one.headers) : one.headers;
    const options = {
      now: new Date(one.now * 1_000),
      ...(one.tolerance_seconds !== undefined && { toleranceSeconds: one.tolerance_seconds }),
    };
    const verified = verify(bodyOf(one.body), headers, one.secrets, options);
    if ('event' in one.expect) {
      await expect(verified).resolves.toMatchObject(one.expect.event);
      return;
    }
    const error = await verified.then(
      () => undefined,
      (reason: TollgateError) => reason,
    );
    expect({ error: error?.name, code: error?.code }).toEqual(one.expect);
    for (const secret of one.secrets)
      expect(inspect(error, { showHidden: true })).not.toContain(secret.slice(6) || '?');
  });
});

describe('generateTestRequest', () => {
  const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
  const EVENT = { type: 'payment.succeeded', data: { reference: 'order-4711' } };
  const NOW = new Date('2026-01-15T09:30:00.000Z');

  it('generateTestRequest signs as Tollgate does', async () => {
    const [{ secrets, headers, body, now }] = readCases<WebhookCase>('webhooks.json') as [WebhookCase];
    const event = { ...JSON.parse(body), id: headers['webhook-id'] };
    const request = await generateTestRequest(event, secrets, { now: new Date(now * 1_000) });
    expect(request).toEqual({ body, headers: { ...headers, 'content-type': 'application/json' } });
  });

  it.each(SECRETS)(
    'generateTestRequest creates a request with several secrets that %s verifies',
    async (secret) => {
      const { body, headers } = await generateTestRequest(EVENT, SECRETS, { now: NOW });
      const event = await verify(body, headers, secret, { now: NOW });
      expect(event).toEqual({ ...EVENT, id: headers['webhook-id'], timestamp: NOW.toISOString() });
    },
  );

  it('generateTestRequest gives each event another id', async () => {
    const requests = await Promise.all([1, 2].map(() => generateTestRequest(EVENT, SECRETS)));
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });
});
