import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecret, parseSecrets } from '@tollgate/processor-adapter/contract/signature';
import { createCaller, startCallbackReceiver } from '@tollgate/processor-adapter/test/support/tollgate';
import { eventually } from '@tollgate/test-kit/eventually';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { startStripeDouble } from './double/stripe-double.ts';

export const MAIN = new URL('../src/main.ts', import.meta.url);

/** The adapter as a process, with the double. */
export async function startAdapterProcess() {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-stripe-'));
  const stripe = await startStripeDouble({ now: Date.now });
  const receiver = await startCallbackReceiver();
  const secret = newSecret();
  const start = () =>
    startProcessUnderTest(MAIN, {
      PORT: '0',
      WEBHOOK_PORT: '0',
      TOLLGATE_SECRETS: secret,
      TOLLGATE_CALLBACK_URL: receiver.url,
      DATA_FILE: join(folder, 'payments.sqlite'),
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_URL: stripe.url,
    });
  let adapter = start();
  const urlOf = (listener: string) =>
    new RegExp(`"url":"(http:[^"]+)","msg":"serving ${listener}`).exec(adapter.output())?.[1] ?? '';
  const isServing = () =>
    eventually('the adapter serves webhooks', () => urlOf('webhooks') !== '', { timeoutMs: 60_000 });
  await isServing();
  const secrets = parseSecrets(secret);
  return {
    stripe,
    receiver,
    secret,
    secrets,
    adapter: () => adapter,
    webhooksUrl: () => urlOf('webhooks'),
    tollgate: createCaller(() => urlOf('calls'), secrets, Date.now),
    sendWebhook: (type: string, object: object) => stripe.sendWebhook(type, object, urlOf('webhooks')),
    async restart() {
      adapter = start();
      await isServing();
    },
    async stop() {
      await adapter.end('SIGTERM');
      await Promise.all([stripe.close(), receiver.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
}
