import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MINUTE_MS } from '@tollgate/contracts/durations';
import { expect, it, onTestFinished } from 'vitest';
import { startAdapterProcess } from './adapter-process.ts';

const CLI = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
/** Handled by the double alone. */
const FAILING = 4_321;
const SLOW = 4_322;

interface Report {
  conforms: boolean;
  results: { check: string; outcome: string }[];
}

it('conforms to the adapter contract', { timeout: 3 * MINUTE_MS }, async () => {
  const port = await freePort();
  const callbackUrl = `http://127.0.0.1:${port}/v1/processor-events/stripe`;
  const { stripe, secret, callsUrl, webhooksUrl } = await startAdapterProcess({ callbackUrl });
  stripe.payer.webhooksUrl = webhooksUrl();
  const never = new Promise(() => {});
  stripe.faults.push(
    { at: /^POST/, body: new RegExp(`amount=${FAILING}|unit_amount%5D=${FAILING}`), kind: 503 },
    { at: /^POST/, body: new RegExp(`amount=${SLOW}`), before: () => never },
  );
  const scenarios = {
    succeeded: { payment_method: 'pm_card_visa' },
    failed: { payment_method: 'pm_card_chargeDeclined' },
    processing: { payment_method: 'pm_usBankAccount_success' },
    action_required: {
      payment_method: 'pm_card_authenticationRequired',
      pay: { post: `${stripe.url}/payer/{reference}/pay` },
      decline: { post: `${stripe.url}/payer/{reference}/decline` },
    },
    rejected: { amount: 1 },
    error: { payment_method: 'pm_card_visa', amount: FAILING },
    slow: { payment_method: 'pm_card_visa', amount: SLOW },
  };

  const { conforms, results } = await testAdapter(callsUrl(), { secret, port, scenarios });

  expect(results).not.toEqual([]);
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(conforms).toBe(true);
});

async function testAdapter(
  url: string,
  { secret, port, scenarios }: { secret: string; port: number; scenarios: object },
): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'scenarios.json');
  writeFileSync(file, JSON.stringify(scenarios));
  const args = [
    CLI,
    'processor',
    'test',
    url,
    '--scenarios',
    file,
    '--callback-port',
    String(port),
    '--json',
  ];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { env: { ...process.env, TOLLGATE_SECRETS: secret } },
      (error, stdout, stderr) => {
        if (stdout) resolve(JSON.parse(stdout));
        else reject(new Error(stderr, { cause: error }));
      },
    );
  });
}

/** The adapter must know the address of callbacks before the suite listens there. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
