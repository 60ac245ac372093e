import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger } from '@tollgate/runtime/logger';
import { onTestFinished } from 'vitest';
import type { Adapter } from '../../src/adapter.ts';
import { createAdapterServer } from '../../src/adapter-server.ts';
import { newSecret, parseSecrets } from '../../src/contract/signature.ts';
import { openPaymentStore } from '../../src/store/payment-store.ts';

const CLI = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));
/** The suite waits for it once. Longer than a busy machine pauses. */
export const ADAPTER_DEADLINE_MS = 3 * SECOND_MS;

/** What `tollgate processor test --json` prints. */
interface Report {
  conforms: boolean;
  results: { check: string; outcome: string }[];
}

/** An adapter and its processor, which the suite stands between. */
interface Subject {
  /** @param processorOrigin where the adapter must send requests for its processor */
  createAdapter(processorOrigin: string): Adapter;
  processorOrigin: string;
  /** Gets the origin to which the processor must send its webhooks. */
  onServing(webhooksOrigin: string): void;
}

/** Serves an adapter until the test finishes, and returns where the suite finds it. */
export async function serveAdapter({ createAdapter, processorOrigin, onServing }: Subject) {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'));
  const secret = newSecret();
  // The adapter and the processor must know the addresses of the suite before it listens there.
  const [callbackPort = 0, processorPort = 0, webhookPort = 0] = await findFreePorts(3);
  const adapter = createAdapter(originOf(processorPort));
  const store = openPaymentStore(join(folder, 'payments.sqlite'));
  const server = createAdapterServer({
    adapter,
    secrets: parseSecrets(secret),
    callbackUrl: `${originOf(callbackPort)}/v1/processor-events/${adapter.name}`,
    store,
    clock: systemClock,
    logger: createLogger({ service: 'adapter', level: 'silent' }),
    deadlineMs: ADAPTER_DEADLINE_MS,
  });
  onTestFinished(async () => {
    await server.stop();
    store.close();
    rmSync(folder, { recursive: true });
  });
  const { callsUrl, webhooksUrl } = await server.listen({ host: '127.0.0.1', port: 0, webhookPort: 0 });
  onServing(originOf(webhookPort));
  return {
    url: callsUrl,
    secret,
    callbackPort,
    processor: { port: processorPort, target: processorOrigin },
    webhooks: { port: webhookPort, target: webhooksUrl },
  };
}

/** Serves an adapter, and runs `tollgate processor test` against it. */
export async function testAdapter({
  scenarios,
  ...subject
}: Subject & { scenarios: object }): Promise<Report> {
  const { url, secret, callbackPort, processor, webhooks } = await serveAdapter(subject);
  const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'scenarios.json');
  writeFileSync(file, JSON.stringify(scenarios));
  const options = [
    ...['--scenarios', file, '--callback-port', String(callbackPort), '--json'],
    ...['--processor', `${processor.port}=${processor.target}`],
    ...['--webhooks', `${webhooks.port}=${webhooks.target}`],
  ];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [CLI, 'processor', 'test', url, ...options],
      { env: { ...process.env, TOLLGATE_SECRETS: secret } },
      (error, stdout, stderr) => {
        if (stdout) resolve(JSON.parse(stdout));
        else reject(new Error(stderr, { cause: error }));
      },
    );
  });
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
