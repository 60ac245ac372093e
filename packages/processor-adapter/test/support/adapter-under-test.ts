import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@tollgate/runtime/logger';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { onTestFinished } from 'vitest';
import { type AdapterServer, createAdapterServer } from '../../src/adapter-server.ts';
import { newSecret, parseSecrets } from '../../src/contract/signature.ts';
import { openPaymentStore, type PaymentStore } from '../../src/store/payment-store.ts';
import { createScriptedProcessor } from './scripted-processor.ts';
import { createCaller, send, startCallbackReceiver } from './tollgate.ts';

/** A running adapter for a scripted processor, with a receiver of its callbacks. Everything stops with the test. */
export async function startAdapter({
  secret = newSecret(),
  faultyStore = (store: PaymentStore) => store,
  ...options
}: {
  secret?: string;
  faultyStore?: (store: PaymentStore) => PaymentStore;
  deadlineMs?: number;
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'));
  const dataFile = join(folder, 'payments.sqlite');
  const secrets = parseSecrets(secret);
  const clock = createFakeClock();
  const processor = createScriptedProcessor();
  const receiver = await startCallbackReceiver();
  const lines: string[] = [];
  const logger = createLogger({
    service: 'adapter',
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  let store: PaymentStore;
  let server: AdapterServer;
  let urls: { callsUrl: string; webhooksUrl: string };

  async function start() {
    store = faultyStore(openPaymentStore(dataFile));
    const { adapter } = processor;
    const { url: callbackUrl } = receiver;
    server = createAdapterServer({ adapter, secrets, callbackUrl, store, clock, logger, ...options });
    urls = await server.listen({ host: '127.0.0.1', port: 0, webhookPort: 0 });
  }
  async function stop() {
    await server.stop();
    store.close();
  }

  await start();
  onTestFinished(async () => {
    await stop();
    await receiver.stop();
    rmSync(folder, { recursive: true });
  });

  return {
    processor,
    receiver,
    clock,
    dataFile,
    secret,
    secrets,
    log: () => lines.join(''),
    url: () => urls.callsUrl,
    tollgate: createCaller(() => urls.callsUrl, secrets, clock.now),
    webhook: (about: { paymentId: string } | { reference: string } | null, headers = {}) =>
      send(`${urls.webhooksUrl}/webhooks`, {
        method: 'POST',
        body: processor.webhook(about),
        headers: { 'x-processor': 'genuine', ...headers },
      }),
    webhooksUrl: () => urls.webhooksUrl,
    sendCallbacks: () => server.sendCallbacks(),
    async restart() {
      await stop();
      await start();
    },
  };
}

export type AdapterUnderTest = Awaited<ReturnType<typeof startAdapter>>;
