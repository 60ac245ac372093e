import { setTimeout as delay } from 'node:timers/promises';
import { createApplication, createKey, revokeKey } from '@tollgate/contracts/applications/rpc';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { startSteadyLoad } from '../../support/platform/steady-load.ts';
import type { Benchmark, Comparison } from '../benchmark.ts';
import { addKeys } from '../many-keys.ts';
import { pidOf } from '../measure.ts';
import { memoryMb } from '../process-memory.ts';

const KEYS = 50_000;
/** Let the young generation and the buffers reach their size, which does not grow with further keys. */
const FIRST_KEYS = 10_000;
const KEYS_OF_AIM = 100_000;
const MEMORY_AIM_MB = 60;
const REQUESTS_PER_SECOND = 600;
/** 500 creations and 100 revocations in a minute. */
const CREATIONS_PER_SECOND = 500 / 60;
const CREATIONS_PER_REVOCATION = 5;
/** Below the limit of active keys. */
const KEYS_PER_APPLICATION = 90;
const LATENCY_AIM = 1.1;
/** Time for the gateway to collect its garbage. */
const COLLECTED_MS = 2_000;

const STEADY = 'no changes of keys';
const CHURN = 'keys created and revoked';

/**
 * Reads payments through a gateway that knows 60,000 keys, while keys are created and revoked and while they are not,
 * and measures the memory of the keys. `--seconds 60` is the long form.
 */
export const keyChurn: Benchmark = async ({ rounds, secondsPerRound }) => {
  const collectGarbage = `--import=${new URL('../gc-on-signal.ts', import.meta.url)}`;
  const platform = await startPlatform({ gatewayEnvs: [{ NODE_OPTIONS: collectGarbage }] });
  try {
    const application = await platform.createApplication();
    await addKeys(platform, application, FIRST_KEYS);
    const memoryBeforeMb = await collectedMemoryMb(platform);
    await addKeys(platform, application, KEYS);
    const memoryMb = ((await collectedMemoryMb(platform)) - memoryBeforeMb) * (KEYS_OF_AIM / KEYS);
    const p99: Record<string, number[]> = { [STEADY]: [], [CHURN]: [] };
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, figures] of Object.entries(p99)) {
        const churn = name === CHURN ? startChurn(platform) : null;
        const p99Ms = await readFor(platform, application, secondsPerRound * 1000);
        await churn?.stop();
        if (round > 0) figures.push(p99Ms);
      }
    }
    return [latency(p99), memory(memoryMb)];
  } finally {
    await platform.stop();
  }
};

function latency(figures: Record<string, number[]>): Comparison {
  return {
    title: `Read a payment beside ${(FIRST_KEYS + KEYS).toLocaleString('en')} keys, ${REQUESTS_PER_SECOND} requests/s`,
    figure: 'p99 latency (ms)',
    figures,
    baseline: STEADY,
    aim: { subject: CHURN, atMost: LATENCY_AIM },
  };
}

function memory(memoryMb: number): Comparison {
  return {
    title: 'Keys that a gateway knows',
    figure: `memory per ${KEYS_OF_AIM.toLocaleString('en')} keys (MB)`,
    figures: { aim: [MEMORY_AIM_MB], gateway: [memoryMb] },
    baseline: 'aim',
    aim: { subject: 'gateway', atMost: 1 },
  };
}

async function collectedMemoryMb({ processes }: Platform): Promise<number> {
  const pid = pidOf(processes.gateway);
  process.kill(pid, 'SIGWINCH');
  await delay(COLLECTED_MS);
  return memoryMb(pid);
}

/** Returns the p99 latency in ms. */
async function readFor(
  { baseUrl }: Platform,
  { keys }: TestApplication,
  durationMs: number,
): Promise<number> {
  const api = apiClient(baseUrl.sandbox, keys.sandbox);
  const { body: payment } = await api.create();
  const times: number[] = [];
  const load = startSteadyLoad(REQUESTS_PER_SECOND, async () => {
    const startedAtMs = performance.now();
    const { status } = await api.read(payment.id);
    if (status !== 200) throw new Error(`The response to a read has the status ${status}.`);
    times.push(performance.now() - startedAtMs);
  });
  await delay(durationMs);
  await load.stop();
  const [failure] = load.failures;
  if (failure) throw new Error(failure.message);
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] as number;
}

/** Creates keys at a steady rate, and revokes every fifth. */
function startChurn({ call }: Platform): { stop(): Promise<void> } {
  let applicationId = Promise.resolve('');
  const load = startSteadyLoad(CREATIONS_PER_SECOND, async (index) => {
    if (index % KEYS_PER_APPLICATION === 0) {
      applicationId = call(createApplication, { name: 'Churn', scopes: SCOPE_NAMES }).then(({ id }) => id);
    }
    const application_id = await applicationId;
    const { id: key_id } = await call(createKey, { application_id, name: 'Churn', environment: 'sandbox' });
    if (index % CREATIONS_PER_REVOCATION === 0) await call(revokeKey, { key_id });
  });
  return {
    async stop() {
      await load.stop();
      const [failure] = load.failures;
      if (failure) throw new Error(`A key was not changed: ${failure.message}`);
    },
  };
}
