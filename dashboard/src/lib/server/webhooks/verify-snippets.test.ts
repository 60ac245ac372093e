import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** The test vector of the Standard Webhooks specification. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SENT_AT_S = 1_614_265_330;
const BODY = '{"test": 2432232314}';
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': String(SENT_AT_S),
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe.each(['standardwebhooks', 'node-crypto'])('the snippet %s', (name) => {
  type Verify = (rawBody: Buffer, headers: Record<string, string>) => unknown;
  const load = async () => (await import(`./verify-snippets/${name}.ts`)).verify as Verify;

  beforeEach(() => {
    vi.resetModules();
    vi.stubEnv('WEBHOOK_SECRET', SECRET);
    vi.useFakeTimers({ now: SENT_AT_S * 1000, toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  it('a snippet accepts a genuine request, with non-ASCII text, and with any one of several signatures', async () => {
    const verify = await load();
    expect(verify(Buffer.from(BODY), HEADERS)).toEqual({ test: 2432232314 });
    const body = Buffer.from('{"purpose":"Bücher – 10 €"}');
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`evt_1.${SENT_AT_S}.`).update(body).digest('base64');
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(SENT_AT_S),
      'webhook-signature': `v2,AAAA v1,${'A'.repeat(43)}= v1,${signature}`,
    };
    expect(verify(body, headers)).toEqual({ purpose: 'Bücher – 10 €' });
  });

  it('a snippet rejects another body, id, timestamp, signature or version, and missing headers', async () => {
    const verify = await load();
    const wrong: [string, Record<string, string>][] = [
      [`${BODY}\n`, HEADERS],
      [JSON.stringify(JSON.parse(BODY)), HEADERS],
      [BODY, { ...HEADERS, 'webhook-id': 'msg_other' }],
      [BODY, { ...HEADERS, 'webhook-timestamp': String(SENT_AT_S + 1) }],
      [BODY, { ...HEADERS, 'webhook-timestamp': 'soon' }],
      [BODY, { ...HEADERS, 'webhook-signature': 'v1,AAAA' }],
      [BODY, { ...HEADERS, 'webhook-signature': HEADERS['webhook-signature'].replace('v1,', 'v2,') }],
      [BODY, { 'webhook-id': HEADERS['webhook-id'] }],
    ];
    for (const [body, headers] of wrong)
      expect(() => verify(Buffer.from(body), headers), JSON.stringify(headers)).toThrow();
  });

  it.each([301, -301])('a snippet rejects a timestamp that is %s seconds old', async (ageS) => {
    const verify = await load();
    vi.setSystemTime((SENT_AT_S + ageS) * 1000);
    expect(() => verify(Buffer.from(BODY), HEADERS)).toThrow();
  });

  it('a snippet does not start without a secret', async () => {
    vi.stubEnv('WEBHOOK_SECRET', '');
    await expect(load()).rejects.toThrow('WEBHOOK_SECRET');
  });
});
