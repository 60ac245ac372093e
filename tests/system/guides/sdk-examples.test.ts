import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EVENT_TYPES } from '@tollgate/contracts/payments/event-types';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { startChildServer } from '@tollgate/test-kit/child-server';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const EXAMPLES = fileURLToPath(new URL('../../../docs/examples/sdk', import.meta.url));
const TSC = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const WEBHOOK = { headers: { 'content-type': 'application/json' }, method: 'POST' };

type Receiver = (request: Request) => Promise<Response>;

/** Runs an example as its first line says. */
async function startExample(file: string): Promise<Receiver> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/hooks`;
  const server = await startChildServer({
    name: file,
    command: process.execPath,
    args: [`${EXAMPLES}/${file}`],
    env: { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) },
    isReady: () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
  });
  onTestFinished(() => server.stop());
  return async (request) =>
    fetch(url, { method: 'POST', headers: request.headers, body: await request.text() });
}

/** Calls the handler of an example as its framework does. */
async function importHandler(file: string): Promise<Receiver> {
  vi.stubEnv('WEBHOOK_SECRET', SECRET);
  onTestFinished(() => void vi.unstubAllEnvs());
  return (await import(`${EXAMPLES}/${file}`)).POST;
}

const START: Record<string, () => Promise<Receiver>> = {
  'express.ts': () => startExample('express.ts'),
  'fastify.ts': () => startExample('fastify.ts'),
  'hono.ts': async () => {
    const { default: app } = await import(`${EXAMPLES}/hono.ts`);
    return async (request) => app.fetch(request, { WEBHOOK_SECRET: SECRET });
  },
  'nextjs.ts': () => importHandler('nextjs.ts'),
  'sveltekit.ts': async () => {
    const POST = (await importHandler('sveltekit.ts')) as unknown as (event: object) => Promise<Response>;
    return (request) => POST({ request });
  },
};

function signed(body: string, at = new Date()): Request {
  const headers = {
    ...WEBHOOK.headers,
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('evt_1', at, body),
  };
  return new Request('http://localhost/hooks', { ...WEBHOOK, headers, body });
}

describe('the receivers in docs/examples/sdk', () => {
  it('the receivers in docs/examples/sdk compile', async () => {
    await expect(promisify(execFile)(process.execPath, [TSC, '-p', EXAMPLES])).resolves.toMatchObject({
      stdout: '',
    });
  });

  it('the receivers in docs/examples/sdk are all tested', () => {
    expect(readdirSync(EXAMPLES).filter((file) => file.endsWith('.ts'))).toEqual(Object.keys(START));
  });

  it.each(Object.entries(START))(
    '%s accepts every event, and rejects what is changed, old, or unsigned',
    async (_file, start) => {
      // Examples log what they do.
      vi.spyOn(console, 'log').mockReturnValue();
      onTestFinished(() => void vi.restoreAllMocks());
      const receive = await start();
      for (const { example } of EVENT_TYPES) {
        const response = await receive(signed(JSON.stringify(example)));
        expect(response.status).toBe(204);
      }
      const body = JSON.stringify(EVENT_TYPES[0]?.example);
      const changed = new Request(signed(body), { body: body.replace('1250', '9999') });
      const rejected = [
        changed,
        signed(body, new Date(Date.now() - 6 * 60_000)),
        new Request(changed.url, { ...WEBHOOK, body }),
      ];
      for (const request of rejected) {
        const response = await receive(request);
        expect(response.status).toBe(400);
        expect(await response.text()).toMatch(
          /^(No signature matches|The request (is too old|has no webhook-id header))/,
        );
      }
    },
  );
});
