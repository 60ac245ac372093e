import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SECOND_MS } from '@tollgate/contracts/durations';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { systemClock } from '@tollgate/runtime/clock';
import { createLogger } from '@tollgate/runtime/logger';
import { onTestFinished } from 'vitest';
import type { Adapter } from '../../src/adapter.ts';
import { createAdapterServer } from '../../src/adapter-server.ts';
import { newSecret, parseSecrets } from '../../src/contract/signature.ts';
import { openPaymentStore } from '../../src/store/payment-store.ts';

const CLI = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));
/** The suite waits for it once. Longer than a busy machine pauses. */
const DEADLINE_MS = 3 * SECOND_MS;

/** What `tollgate processor test --json` prints. */
interface Report {
  conforms: boolean;
  results: { check: string; outcome: string }[];
}

/**
 * Serves an adapter, and runs `tollgate processor test` against it.
 * @param options.onServing gets the origin of the webhook listener
 */
export async function testAdapter(
  adapter: Adapter,
  { scenarios, onServing }: { scenarios: object; onServing: (webhooksUrl: string) => void },
): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'));
  const file = join(folder, 'scenarios.json');
  writeFileSync(file, JSON.stringify(scenarios));
  const secret = newSecret();
  // The adapter must know the address of callbacks before the suite listens there.
  const callbackPort = await findFreePort();
  const store = openPaymentStore(join(folder, 'payments.sqlite'));
  const server = createAdapterServer({
    adapter,
    secrets: parseSecrets(secret),
    callbackUrl: `http://127.0.0.1:${callbackPort}/v1/processor-events/${adapter.name}`,
    store,
    clock: systemClock,
    logger: createLogger({ service: 'adapter', level: 'silent' }),
    deadlineMs: DEADLINE_MS,
  });
  onTestFinished(async () => {
    await server.stop();
    store.close();
    rmSync(folder, { recursive: true });
  });
  const { callsUrl, webhooksUrl } = await server.listen({ host: '127.0.0.1', port: 0, webhookPort: 0 });
  onServing(webhooksUrl);
  const options = ['--scenarios', file, '--callback-port', String(callbackPort), '--json'];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [CLI, 'processor', 'test', callsUrl, ...options],
      { env: { ...process.env, TOLLGATE_SECRETS: secret } },
      (error, stdout, stderr) => {
        if (stdout) resolve(JSON.parse(stdout));
        else reject(new Error(stderr, { cause: error }));
      },
    );
  });
}
