import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { START_TIMEOUT_MS } from '../../platform/platform-process.ts';
import { type Charge, startAcmeLedger } from './acme-ledger.ts';

/** A processor with a ledger, and its adapter: the example of the guide, as a process that can be killed. */
export interface AcmeProcessor {
  charges: readonly Charge[];
  /** The variables that connect payments with the adapter. */
  paymentsEnv: Record<string, string>;
  readonly pid: number | null;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** @param advertise returns the URL at which payments reaches the adapter, for a proxy between them */
export async function startAcmeProcessor(
  advertise: (adapterUrl: string) => Promise<string>,
): Promise<AcmeProcessor> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-acme-'));
  const [port, webhookPort, callbackPort] = (await findFreePorts(3)) as [number, number, number];
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const url = `http://127.0.0.1:${port}`;
  const processorsFile = join(folder, 'processors.yaml');
  writeFileSync(processorsFile, processorsYaml(await advertise(url)));
  const ledger = await startAcmeLedger(webhookPort);
  let running: ChildServer | null = null;

  async function start(): Promise<void> {
    running ??= await startChildServer({
      name: 'acme adapter',
      command: process.execPath,
      args: [join(CHECKOUT_DIR, 'docs/examples/acme-adapter.ts')],
      env: {
        ...process.env,
        ...ledger.adapterEnv,
        PORT: String(port),
        WEBHOOK_PORT: String(webhookPort),
        TOLLGATE_SECRETS: secret,
        TOLLGATE_CALLBACK_URL: `http://127.0.0.1:${callbackPort}/v1/processor-events/acme`,
        DATA_FILE: join(folder, 'payments.sqlite'),
        LOG_LEVEL: 'fatal',
      },
      isReady: () =>
        fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      timeoutMs: START_TIMEOUT_MS,
    });
  }
  async function end(how: 'stop' | 'kill'): Promise<void> {
    await running?.[how]();
    running = null;
  }

  await start();
  return {
    charges: ledger.charges,
    paymentsEnv: {
      PROCESSORS_FILE: processorsFile,
      CALLBACK_PORT: String(callbackPort),
      ACME_SECRETS: secret,
    },
    get pid() {
      return running?.pid ?? null;
    },
    start,
    kill: () => end('kill'),
    async stop() {
      await end('stop');
      await ledger.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function processorsYaml(url: string): string {
  return [
    'processors:',
    '  acme:',
    `    url: ${url}`,
    '    secrets: { env: ACME_SECRETS }',
    'routes:',
    '  - { environment: sandbox, payment_method: acme_, processor: acme }',
    '',
  ].join('\n');
}
