import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ENVIRONMENTS } from '@tollgate/contracts/environment';
import { EVENT_TYPES } from '@tollgate/contracts/event-types';
import { EXAMPLE_PAYMENT_ID } from '@tollgate/contracts/example-payment';
import { RETRY_JITTER, RETRY_STEPS_MS } from '@tollgate/contracts/retry-steps';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const GUIDE = readFileSync(new URL('../docs/guides/receive-webhooks.md', import.meta.url), 'utf8');
const RECEIVER = fileURLToPath(new URL('../docs/guides/webhook-receiver.mjs', import.meta.url));
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('the guide for receivers', () => {
  it('lists every event type with its meaning', () => {
    const listed = [...GUIDE.matchAll(/^\| `(payment\.\w+)` \| (.+) \|$/gm)].map(([, type, description]) => ({
      type,
      description,
    }));
    expect(listed).toEqual(EVENT_TYPES.map(({ type, description }) => ({ type, description })));
  });

  it.each(ENVIRONMENTS)('states the actual retry schedule of %s', (environment) => {
    const steps = RETRY_STEPS_MS[environment];
    const row = `| ${environment} | ${steps.length + 1} | ${steps.map(formatDuration).join(', ')} |`;
    expect(GUIDE).toContain(row);
    expect(GUIDE).toContain(`up to ${RETRY_JITTER * 100} % shorter or longer`);
  });

  it('names the payment of test events', () => {
    expect(GUIDE).toContain(`always \`${EXAMPLE_PAYMENT_ID}\``);
  });
});

function formatDuration(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}

describe('the receiver in the guide', () => {
  let receiver: ChildServer;
  let url: string;

  beforeAll(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}/`;
    receiver = await startChildServer({
      name: 'receiver',
      command: process.execPath,
      args: [RECEIVER],
      env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
      isReady: () =>
        fetch(url, { method: 'POST' }).then(
          () => true,
          () => false,
        ),
    });
  });
  afterAll(() => receiver.stop());

  async function send(body: string, { signed = body, at = new Date() } = {}): Promise<number> {
    const id = 'evt_1';
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(SECRET).sign(id, at, signed),
    };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }

  it('accepts every event type, and rejects a request that is changed, old or unsigned', async () => {
    for (const { example } of EVENT_TYPES) expect(await send(JSON.stringify(example))).toBe(204);
    const body = JSON.stringify(EVENT_TYPES[0]?.example);
    expect(await send(body.replace('1250', '9999'), { signed: body })).toBe(400);
    expect(await send(body, { at: new Date(Date.now() - 6 * 60_000) })).toBe(400);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
  });
});
