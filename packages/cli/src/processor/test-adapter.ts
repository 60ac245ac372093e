import { newId } from '@tollgate/contracts/platform/ids';
import type { SigningSecrets } from '@tollgate/processor-adapter/contract/signature';
import { UsageError } from '../command.ts';
import { createAdapterCaller } from './adapter-caller.ts';
import { startCallbackListener } from './callback-listener.ts';
import { Finding } from './finding.ts';
import { type Relay, type RelayOptions, startRelay } from './relay.ts';
import { CHECKS, type CheckResult, runChecks } from './run-checks.ts';
import type { ScenarioName } from './scenario-names.ts';
import { createPayer, type Scenarios } from './scenarios.ts';
import { createSuite, type Suite } from './suite.ts';

export interface TestOptions {
  /** URL of the adapter, without a trailing slash. */
  url: string;
  secrets: SigningSecrets;
  /** Variable that actions of the payer do not get. */
  secretsEnv: string;
  environment: 'sandbox' | 'live';
  currency: string;
  scenarios: Scenarios;
  /** Runs only the checks of these scenarios, if there are any. */
  only: readonly ScenarioName[];
  callbacks: { host: string; port: number };
  /** What the suite carries. */
  relays: { processor: RelayOptions | null; webhooks: RelayOptions | null };
  responseDeadlineMs: number;
  changeDeadlineMs: number;
}

/** @throws UsageError when the adapter is unreachable or does not accept a correct signature */
export async function testAdapter(
  options: TestOptions,
  onListening: (port: number) => void,
): Promise<CheckResult[]> {
  const { url, secrets, scenarios, only, changeDeadlineMs } = options;
  const caller = createAdapterCaller(url, secrets, options.responseDeadlineMs);
  const listener = await startCallbackListener(options.callbacks, changeDeadlineMs).catch((error: Error) => {
    throw new UsageError(`Cannot listen for callbacks: ${error.message}. Pass another --callback-port.`);
  });
  const relays: Suite['relays'] = { processor: null, webhooks: null };
  try {
    for (const name of ['processor', 'webhooks'] as const) relays[name] = await openRelay(options, name);
    await requireContact(options, caller);
    onListening(listener.port);
    const payer = createPayer(scenarios.action_required, changeDeadlineMs, options.secretsEnv);
    const checks = CHECKS.filter(({ scenario = 'default' }) => only.length === 0 || only.includes(scenario));
    return await runChecks(checks, createSuite(options, { caller, listener, payer, relays }));
  } finally {
    await Promise.all([listener, relays.processor, relays.webhooks].map((server) => server?.close()));
  }
}

/** @throws UsageError */
async function openRelay(
  { relays, callbacks }: TestOptions,
  name: keyof TestOptions['relays'],
): Promise<Relay | null> {
  const options = relays[name];
  if (options === null) return null;
  return startRelay(callbacks.host, options).catch((error: Error) => {
    throw new UsageError(`Cannot listen for --${name}: ${error.message}. Pass another port.`);
  });
}

async function requireContact(
  { url }: TestOptions,
  caller: ReturnType<typeof createAdapterCaller>,
): Promise<void> {
  const { status, received } = await caller.call('status', newId('payment')).catch((error: unknown) => {
    // An adapter that accepts connections and never responds breaks a rule, which the checks report.
    if (error instanceof Finding) return { status: 0, received: error.received };
    throw error;
  });
  if (status === null)
    throw new UsageError(`The adapter at ${url} is unreachable: ${received}. Start it, and compare the URL.`);
  if (status === 401) {
    throw new UsageError(
      `The adapter at ${url} responds with 401 to a correctly signed request. Pass the adapter's own secret, and compare the clocks. The signature is the HMAC-SHA-256 of <webhook-id>.<webhook-timestamp>.<body>.`,
    );
  }
}
