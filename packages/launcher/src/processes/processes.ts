import { join } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { stopLimitMs } from '@tollgate/runtime/stop-limit';
import type { Settings } from '../settings.ts';
import type { ComponentSpec } from './components.ts';
import type { ProcessSpec } from './supervised-process.ts';

const READY_PROBE_TIMEOUT_MS = 2_000;
const ALL_IN_ONE = 'packages/all-in-one/src/main.ts';

export interface ProcessOptions {
  settings: Pick<Settings, 'logLevel'>;
  /** What every process inherits from the launcher. */
  inherited: Record<string, string>;
}

/** The process of one component. */
export function separateProcess(component: ComponentSpec, options: ProcessOptions): ProcessSpec {
  const { name, main, env } = component;
  return {
    ...node(main, env, options),
    name,
    stopTimeoutMs: stopLimitMs(1),
    isReady: () => isReady(component),
  };
}

/** One process for all components. */
export function allInOneProcess(stages: ComponentSpec[][], options: ProcessOptions): ProcessSpec {
  const components = stages.flat();
  const environments = Object.fromEntries(components.map(({ name, env }) => [name, env]));
  return {
    ...node(ALL_IN_ONE, { COMPONENT_ENVIRONMENTS: JSON.stringify(environments) }, options),
    name: 'tollgate',
    stopTimeoutMs: stopLimitMs(stages.length),
    // In turn: to ask all while none listens yet would take the processor from the process that starts.
    isReady: async () => {
      for (const component of components) if (!(await isReady(component))) return false;
      return true;
    },
  };
}

function node(
  main: string,
  env: Record<string, string>,
  { settings, inherited }: ProcessOptions,
): Pick<ProcessSpec, 'command' | 'args' | 'env'> {
  return {
    command: process.execPath,
    args: [join(CHECKOUT_DIR, main)],
    env: { ...inherited, NODE_ENV: 'production', LOG_LEVEL: settings.logLevel, ...env },
  };
}

async function isReady({ opsPort }: ComponentSpec): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`, {
      signal: AbortSignal.timeout(READY_PROBE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
