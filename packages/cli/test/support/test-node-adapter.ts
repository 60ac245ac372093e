import { newSecret, parseSecrets } from '@tollgate/processor-adapter/contract/signature';
import { onTestFinished } from 'vitest';
import { SCENARIOS as SCENARIO_NAMES } from '../../src/processor/scenario-names.ts';
import type { Scenarios } from '../../src/processor/scenarios.ts';
import { testAdapter } from '../../src/processor/test-adapter.ts';
import type { Defect } from '../defects.ts';
import { startNodeAdapter } from '../node-adapter.ts';

const SCENARIOS: Scenarios = {
  ...Object.fromEntries(
    SCENARIO_NAMES.filter((name) => name !== 'default').map((name) => [name, { payment_method: name }]),
  ),
  action_required: {
    pay: { post: '{action_url}/pay' },
    decline: { post: '{action_url}/decline' },
    refund: { post: '{action_url}/refund' },
  },
};

/** Longer than a busy machine pauses. */
const DEADLINE_MS = 20_000;
const RESPONSE_DEADLINE_MS = 10_000;

/** Runs all checks against an adapter in this process, which may have a defect. */
export async function testNodeAdapter(
  defect?: Defect,
  { scenarios = SCENARIOS, deadlineMs = DEADLINE_MS } = {},
) {
  const secret = newSecret();
  const adapter = await startNodeAdapter(secret, defect);
  onTestFinished(adapter.stop);
  return testAdapter(
    {
      url: adapter.url,
      secrets: parseSecrets(secret),
      secretsEnv: 'TOLLGATE_SECRETS',
      environment: 'sandbox',
      currency: 'EUR',
      scenarios: withPages(scenarios, adapter.url),
      only: [],
      relays: { processor: null, webhooks: null },
      callbacks: { host: '127.0.0.1', port: 0 },
      responseDeadlineMs: RESPONSE_DEADLINE_MS,
      changeDeadlineMs: deadlineMs,
    },
    (port) => adapter.setCallbackUrl(`http://127.0.0.1:${port}/v1/processor-events/node`),
  );
}

/** A defect of the action must not keep the payer from acting. */
function withPages(scenarios: Scenarios, url: string): Scenarios {
  if (!scenarios.action_required) return scenarios;
  const page = (action: string) => ({ post: `${url}/pages/{payment_id}/${action}` });
  const action_required = { pay: page('pay'), decline: page('decline'), refund: page('refund') };
  return { ...scenarios, action_required };
}
