import { DAY_MS, HOUR_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import {
  ConfigError,
  durationMs,
  type Environment,
  port,
  readConfig,
  text,
  url,
  type Variable,
} from '@tollgate/runtime/config';
import { internalSigningKeys, signer } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';
import {
  NO_PROCESSORS,
  type ProcessorsFile,
  readProcessorsFile,
} from './processors/routing/processors-file.ts';
import { sandboxPageKeys } from './processors/sandbox/page-tokens.ts';
import { historyKeys } from './seals/history-keys.ts';

export type PaymentsConfig = ReturnType<typeof readPaymentsConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every wrong variable. */
export function readPaymentsConfig(env: Environment) {
  const config = readConfig(env, paymentsVariables);
  const { liveProcessor, sandboxProcessor, ...others } = config;
  assertCallbacks(config);
  assertReachable(config);
  return { ...others, defaultProcessor: { live: liveProcessor, sandbox: sandboxProcessor } };
}

/** @throws ConfigError */
function assertCallbacks({
  processorsFile,
  callbackPort,
}: {
  processorsFile: ProcessorsFile;
  callbackPort: number | null;
}): void {
  if (processorsFile.adapters.size === 0 || callbackPort !== null) return;
  throw new ConfigError([
    'CALLBACK_PORT is missing. Set it, because the adapters of PROCESSORS_FILE report changes there.',
  ]);
}

/** @throws ConfigError */
function assertReachable(config: { advertisedUrl: string; host: string }): void {
  if (config.advertisedUrl === '' && EVERY_ADDRESS.has(config.host)) {
    throw new ConfigError([
      `ADVERTISED_URL is missing. Set it, because HOST is ${config.host}, which gateways cannot reach.`,
    ]);
  }
}

/** Null when the variable is not set. */
function optionalPort(name: string, description: string): Variable<number | null> {
  return { ...port(name, { description }), fallback: null };
}

/** Valid for listening only: a client that connects to one reaches itself. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/** Scheme, host, and port only, as announcements require: gateways append their own paths. */
const advertisedUrl: Variable<string> = {
  name: 'ADVERTISED_URL',
  description:
    'Address at which gateways reach this instance. Required if `HOST` is an address such as `0.0.0.0`.',
  type: 'URL without a path',
  fallback: '',
  defaultText: '`HOST` and `PORT`',
  parse(value) {
    const parsed = URL.parse(value);
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.href !== `${parsed.origin}/`) {
      throw new Error('must be an address such as http://payments-1:8090, without a path or a password');
    }
    return parsed.origin;
  },
};

const processorsFile: Variable<ProcessorsFile> = {
  name: 'PROCESSORS_FILE',
  description:
    'Adapters of processors, and which payments they get ([processors](../../services/payments/README.md#processors)).',
  type: 'path of a YAML file',
  fallback: NO_PROCESSORS,
  defaultText: 'none',
  parse: readProcessorsFile,
};

/** One value for both environments, with a default for each. */
const paymentExpiryMs: Variable<{ live: number; sandbox: number }> = {
  name: 'PAYMENT_EXPIRY',
  description: 'How long a payment can stay pending. One value for both environments.',
  type: 'duration',
  fallback: { live: 7 * DAY_MS, sandbox: DAY_MS },
  defaultText: 'live `7d`, sandbox `24h`',
  parse(value, env) {
    const both = durationMs('PAYMENT_EXPIRY').parse(value, env);
    return { live: both, sandbox: both };
  },
};

/** A built-in processor, or one of PROCESSORS_FILE. */
function processorName(
  name: string,
  { builtIn, default: fallback, description }: { builtIn: string[]; default: string; description: string },
): Variable<string> {
  return {
    name,
    description,
    type: [...builtIn.map((each) => `\`${each}\``), 'name in `PROCESSORS_FILE`'].join(', '),
    fallback,
    parse(value, env) {
      const known = [...builtIn, ...adapterNames(env)];
      if (!known.includes(value)) throw new Error(`must be one of ${known.join(', ')}, not "${value}"`);
      return value;
    },
  };
}

function adapterNames(env: Environment): string[] {
  try {
    return [...readProcessorsFile(env['PROCESSORS_FILE'] ?? '', env).adapters.keys()];
  } catch {
    // The variable itself reports what is wrong with the file.
    return [];
  }
}

export const paymentsVariables = {
  ...serviceVariables,
  signer: signer(
    'payments',
    'Sign events and audit entries. The keys that seal payments and protect the test pages of the sandbox derive from them.',
  ),
  historyKeys,
  host: text('HOST', { default: '127.0.0.1', description: 'Address of the listener for gateways.' }),
  port: port('PORT', {
    default: 0,
    defaultText: 'a free port',
    description: 'Port of the listener for gateways.',
  }),
  advertisedUrl,
  docsBaseUrl: url('DOCS_BASE_URL', {
    protocols: ['http', 'https'],
    default: 'http://localhost:8080/docs',
    description:
      'Where the gateways serve the documentation, for the `type` of errors. The same for gateways.',
  }),
  internalSigningKeys,
  callbackHost: text('CALLBACK_HOST', {
    default: '127.0.0.1',
    description: 'Address of the listener on which adapters report changes. Never expose it to the internet.',
  }),
  callbackPort: optionalPort(
    'CALLBACK_PORT',
    'Port of the listener on which adapters report changes. Required if `PROCESSORS_FILE` has adapters.',
  ),
  processorsFile,
  // The sandbox moves no money.
  liveProcessor: processorName('LIVE_PROCESSOR', {
    builtIn: ['manual'],
    default: 'manual',
    description: 'Processor of new live payments that no route matches. A payment keeps its processor.',
  }),
  sandboxProcessor: processorName('SANDBOX_PROCESSOR', {
    builtIn: ['sandbox', 'manual'],
    default: 'sandbox',
    description: 'Processor of new sandbox payments that no route matches.',
  }),
  sandboxApiUrl: url('SANDBOX_API_URL', {
    protocols: ['http', 'https'],
    default: 'http://localhost:8081',
    description: 'Address of the sandbox listener of the gateways, where payers find the test pages.',
  }),
  sandboxPageKeys,
  sandboxSettlementDelayMs: durationMs('SANDBOX_SETTLEMENT_DELAY', {
    default: SECOND_MS,
    description: 'How long payments of the sandbox take.',
  }),
  paymentExpiryMs,
  stuckAfterMs: durationMs('STUCK_AFTER', {
    default: HOUR_MS,
    description:
      'A payment that has been processing for longer counts as stuck, in metrics, in the dashboard, and in notices to members.',
  }),
};
