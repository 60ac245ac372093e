import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@tollgate/contracts/platform/ids';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import type { Adapter } from '@tollgate/processor-adapter/adapter';
import { parseSecrets } from '@tollgate/processor-adapter/contract/signature';
import { serveAdapter } from '@tollgate/processor-adapter/test/support/conformance';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { onTestFinished } from 'vitest';
import { testAdapter } from '../../src/processor/test-adapter.ts';

const EXAMPLES = join(CHECKOUT_DIR, 'docs', 'examples');
/** In the checkout, so that the example finds the packages that it imports. */
const FOLDER = join(CHECKOUT_DIR, '.cache', 'changed-adapters');
const KEYS = { ACME_API_KEY: 'key', ACME_WEBHOOK_SECRET: 'secret' };

/** Runs all checks against the adapter of the guide, whose source may be changed. */
export async function testAcmeAdapter(
  change = (source: string) => source,
  { changeDeadlineMs = 20_000, responseDeadlineMs = 10_000 } = {},
) {
  const createAdapter = await importExample(change);
  const port = await findFreePort();
  const processorOrigin = `http://127.0.0.1:${port}`;
  let webhooksOrigin = '';
  const served = await serveAdapter({
    createAdapter: (ACME_URL) => createAdapter({ ...KEYS, ACME_URL }),
    processorOrigin,
    onServing(origin) {
      webhooksOrigin = origin;
    },
  });
  const acme = await startAcmePay(port, webhooksOrigin);
  onTestFinished(acme.stop);
  return testAdapter(
    {
      url: served.url,
      secrets: parseSecrets(served.secret),
      secretsEnv: 'TOLLGATE_SECRETS',
      environment: 'sandbox',
      currency: 'EUR',
      scenarios: {
        action_required: { pay: { post: '{action_url}/approve' }, decline: { post: '{action_url}/decline' } },
        rejected: { currency: 'USD' },
      },
      only: [],
      callbacks: { host: '127.0.0.1', port: served.callbackPort },
      relays: { processor: served.processor, webhooks: served.webhooks },
      responseDeadlineMs,
      changeDeadlineMs,
    },
    () => undefined,
  );
}

async function importExample(
  change: (source: string) => string,
): Promise<(env: NodeJS.ProcessEnv) => Adapter> {
  const source = change(readFileSync(join(EXAMPLES, 'acme-adapter.ts'), 'utf8'));
  const file = join(FOLDER, `${newId('payment')}.ts`);
  mkdirSync(FOLDER, { recursive: true });
  // The example runs a process. Its function is enough to serve it here.
  writeFileSync(file, source.replace('await runAdapter(', 'export default ('));
  onTestFinished(() => rmSync(file));
  return (await import(file)).default;
}

function startAcmePay(port: number, webhooksOrigin: string): Promise<ChildServer> {
  return startChildServer({
    name: 'Acme Pay',
    command: process.execPath,
    args: [join(EXAMPLES, 'acme-pay.mjs')],
    env: { ...process.env, ...KEYS, PORT: String(port), WEBHOOK_URL: `${webhooksOrigin}/webhooks` },
    isReady: () =>
      fetch(`http://127.0.0.1:${port}/pay/none`).then(
        () => true,
        () => false,
      ),
  });
}
