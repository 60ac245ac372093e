import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EVENT_TYPES } from '@tollgate/contracts/payments/event-types';
import { EXAMPLE_PAYMENT_ID } from '@tollgate/contracts/payments/example-payment';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { RETRY_JITTER, RETRY_STEPS_MS } from '@tollgate/contracts/webhooks/retry-schedule';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';

const GUIDE = readFileSync(new URL('../../../docs/guides/receive-webhooks.md', import.meta.url), 'utf8');
const RECEIVER = fileURLToPath(new URL('../../../docs/guides/webhook-receiver.mjs', import.meta.url));
const SNIPPETS = [
  'standardwebhooks.ts',
  'python.py',
  'go.go',
  'php.php',
  'ruby.rb',
  'WebhookVerifier.java',
  'openssl.sh',
];
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

it('the guide for receivers lists every event type with its meaning', () => {
  const listed = [...GUIDE.matchAll(/^\| `(payment\.\w+)` \| (.+) \|$/gm)].map(([, type, description]) => ({
    type,
    description,
  }));
  expect(listed).toEqual(EVENT_TYPES.map(({ type, description }) => ({ type, description })));
});

it.each(ENVIRONMENTS)('the guide for receivers states the actual retry schedule of %s', (environment) => {
  const steps = RETRY_STEPS_MS[environment];
  const row = `| ${environment} | ${steps.length + 1} | ${steps.map(formatDuration).join(', ')} |`;
  expect(GUIDE).toContain(row);
  expect(GUIDE).toContain(`up to ${RETRY_JITTER * 100} % shorter or longer`);
});

it('the guide for receivers names the payment of test events', () => {
  expect(GUIDE).toContain(`always \`${EXAMPLE_PAYMENT_ID}\``);
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

  it('the receiver in the guide accepts every event type, and rejects a request that is changed, old or unsigned', async () => {
    for (const { example } of EVENT_TYPES) expect(await send(JSON.stringify(example))).toBe(204);
    const body = JSON.stringify(EVENT_TYPES[0]?.example);
    expect(await send(body.replace('1250', '9999'), { signed: body })).toBe(400);
    expect(await send(body, { at: new Date(Date.now() - 6 * 60_000) })).toBe(400);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
  });
});

describe('the code in the guides', () => {
  const body = JSON.stringify(EVENT_TYPES[0]?.example);
  const headers = () => {
    const at = new Date();
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(SECRET).sign('evt_1', at, body),
    };
  };

  /** Runs TypeScript, and returns what it prints. */
  async function run(code: string): Promise<string> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module-typescript', '--eval', code],
      { cwd: import.meta.dirname, env: { ...process.env, WEBHOOK_SECRET: SECRET } },
    );
    return stdout.trim();
  }

  it('the code in the guides verifies a request with the library', async () => {
    const code =
      codeBlocksOf('guides/receive-webhooks').find(({ language }) => language === 'js')?.code ?? '';
    const received = `const rawBody = ${JSON.stringify(body)}; const request = { headers: ${JSON.stringify(headers())} };`;
    expect(await run(`${received}\n${code}\nconsole.log(event.type);`)).toBe(EVENT_TYPES[0]?.type);
  });

  it.each([
    ['the SDK', '@tollgate/sdk', 'new Headers'],
    ['the library', 'standardwebhooks', ''],
  ])(
    'the code in the guides verifies a request with %s, and rejects another body',
    async (_, library, headersOf) => {
      const blocks = codeBlocksOf('guides/verify-webhooks');
      const code = blocks.find(
        ({ language, code }) => language === 'ts' && code.includes(`'${library}'`),
      )?.code;
      const verify = (sent: string) =>
        run(`${code}
        const event = await verify(Buffer.from(${JSON.stringify(sent)}), ${headersOf}(${JSON.stringify(headers())}));
        console.log(event.type);`);
      expect(await verify(body)).toBe(EVENT_TYPES[0]?.type);
      await expect(verify(`${body} `)).rejects.toThrow(/[Ss]ignature/);
    },
  );

  it('the code in the guides is the code that the dashboard shows', () => {
    const snippets = new URL('../../../dashboard/src/lib/server/webhooks/verify-snippets/', import.meta.url);
    const shown = codeBlocksOf('guides/verify-webhooks').map(({ code }) => code.trim());
    for (const name of SNIPPETS)
      expect(shown, name).toContain(readFileSync(new URL(name, snippets), 'utf8').trim());
  });

  it('the code in the guides has an example with the headers and the form of a request', () => {
    const example = codeBlocksOf('guides/receive-webhooks').find(({ language }) => language === 'http');
    const [head = '', sent = ''] = (example?.code ?? '').split('\n\n');
    const names = [...head.matchAll(/^([a-z-]+): /gm)].map(([, name]) => name);
    expect(names).toEqual(['content-type', ...Object.keys(headers())]);
    expect(Object.keys(JSON.parse(sent.replace(',…', '')))).toEqual(Object.keys(JSON.parse(body)));
  });
});
