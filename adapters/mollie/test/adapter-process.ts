import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecret, parseSecrets } from '@tollgate/processor-adapter/contract/signature';
import { createCaller, startCallbackReceiver } from '@tollgate/processor-adapter/test/support/tollgate';
import { eventually } from '@tollgate/test-kit/eventually';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { startMollieDouble } from './double/mollie-double.ts';

export const MAIN = new URL('../src/main.ts', import.meta.url);

/** Signs Mollie's webhooks. */
export const WEBHOOK_SECRET = 'mollie-secret';

/** The adapter as a process, with the double. */
export async function startAdapterProcess() {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-mollie-'));
  const mollie = await startMollieDouble({ now: Date.now });
  const receiver = await startCallbackReceiver();
  const secret = newSecret();
  const secrets = parseSecrets(secret);
  const start = () =>
    startProcessUnderTest(MAIN, {
      PORT: '0',
      WEBHOOK_PORT: '0',
      TOLLGATE_SECRETS: secret,
      TOLLGATE_CALLBACK_URL: receiver.url,
      DATA_FILE: join(folder, 'payments.sqlite'),
      MOLLIE_API_KEY: mollie.apiKey,
      MOLLIE_API_URL: mollie.url,
      MOLLIE_WEBHOOK_URL: 'https://adapter.example/webhooks',
      MOLLIE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
    });
  let adapter = start();
  const urlOf = (listener: string) =>
    new RegExp(`"url":"(http:[^"]+)","msg":"serving ${listener}`).exec(adapter.output())?.[1] ?? '';
  const isServing = () =>
    eventually('the adapter serves webhooks', () => urlOf('webhooks') !== '', { timeoutMs: 60_000 });
  await isServing();
  return {
    mollie,
    receiver,
    secret,
    secrets,
    adapter: () => adapter,
    tollgate: createCaller(() => urlOf('calls'), secrets, Date.now),
    sendWebhook: (id: string) => mollie.sendWebhook(id, urlOf('webhooks')),
    /** Sends any body like a webhook, and returns the status of the response. */
    async webhook(body: string, headers: Record<string, string> = {}): Promise<number> {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const url = `${urlOf('webhooks')}/webhooks`;
      return (await fetch(url, { method: 'POST', headers: { ...form, ...headers }, body })).status;
    },
    async restart() {
      adapter = start();
      await isServing();
    },
    async stop() {
      await adapter.end('SIGTERM');
      await Promise.all([mollie.close(), receiver.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
}
