import { DAY_MS, HOUR_MS, SECOND_MS } from '@tollgate/contracts/durations';
import {
  ConfigError,
  durationMs,
  port,
  readConfig,
  text,
  url,
  type Variable,
} from '@tollgate/runtime/config';
import { keyring, signer } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';
import {
  NO_PROCESSORS,
  type ProcessorsFile,
  readProcessorsFile,
} from './processors/routing/processors-file.ts';
import { sandboxPageKeys } from './processors/sandbox/page-tokens.ts';
import { historyKeys } from './seals/history-keys.ts';

export type PaymentsConfig = ReturnType<typeof readPaymentsConfig>;

/** Environment variables, validated. README.md describes each. */
export function readPaymentsConfig(env: Record<string, string | undefined>) {
  const config = readConfig(env, {
    ...serviceVariables,
    /** Signs events and audit entries. */
    signer: signer('payments'),
    historyKeys,
    host: text('HOST', { default: '127.0.0.1' }),
    port: port('PORT', { default: 0 }),
    /** When empty, it is derived from the host and the port that the listener is bound to. */
    advertisedUrl: origin('ADVERTISED_URL'),
    docsBaseUrl: url('DOCS_BASE_URL', {
      protocols: ['http', 'https'],
      default: 'http://localhost:8080/docs',
    }),
    internalSigningKeys: keyring('INTERNAL_SIGNING_KEYS'),
    /** Where adapters report changes. Never exposed to the internet. */
    callbackHost: text('CALLBACK_HOST', { default: '127.0.0.1' }),
    callbackPort: optionalPort('CALLBACK_PORT'),
    /** Adapters, and which payments they get. */
    processorsFile: processorsFile(env),
    // The sandbox moves no money.
    liveProcessor: processorName('LIVE_PROCESSOR', env, { builtIn: ['manual'], default: 'manual' }),
    sandboxProcessor: processorName('SANDBOX_PROCESSOR', env, {
      builtIn: ['sandbox', 'manual'],
      default: 'sandbox',
    }),
    /** Where payers find the test pages of the sandbox: the gateway's sandbox listener. */
    sandboxApiUrl: url('SANDBOX_API_URL', {
      protocols: ['http', 'https'],
      default: 'http://localhost:8081',
    }),
    sandboxPageKeys,
    sandboxSettlementDelayMs: durationMs('SANDBOX_SETTLEMENT_DELAY', { default: 5 * SECOND_MS }),
    paymentExpiryMs: perEnvironment(durationMs('PAYMENT_EXPIRY'), {
      live: 7 * DAY_MS,
      sandbox: DAY_MS,
    }),
    stuckAfterMs: durationMs('STUCK_AFTER', { default: HOUR_MS }),
  });
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
function optionalPort(name: string): Variable<number | null> {
  return { ...port(name), fallback: null };
}

function processorsFile(env: Record<string, string | undefined>): Variable<ProcessorsFile> {
  return {
    name: 'PROCESSORS_FILE',
    fallback: NO_PROCESSORS,
    parse: (path) => readProcessorsFile(path, env),
  };
}

/** Valid for listening only: a client that connects to one reaches itself. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/** Scheme, host, and port only, as announcements require: gateways append their own paths. */
function origin(name: string): Variable<string> {
  return {
    name,
    fallback: '',
    parse(value) {
      const parsed = URL.parse(value);
      if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.href !== `${parsed.origin}/`) {
        throw new Error('must be an address such as http://payments-1:8090, without a path or a password');
      }
      return parsed.origin;
    },
  };
}

/** One variable for both environments, with a default for each. */
function perEnvironment<T>(
  { name, parse }: Variable<T>,
  fallback: { live: T; sandbox: T },
): Variable<{ live: T; sandbox: T }> {
  return {
    name,
    fallback,
    parse(value) {
      const both = parse(value);
      return { live: both, sandbox: both };
    },
  };
}

/** A built-in processor, or one of PROCESSORS_FILE. */
function processorName(
  name: string,
  env: Record<string, string | undefined>,
  { builtIn, default: fallback }: { builtIn: string[]; default: string },
): Variable<string> {
  return {
    name,
    fallback,
    parse(value) {
      const known = [...builtIn, ...adapterNames(env)];
      if (!known.includes(value)) throw new Error(`must be one of ${known.join(', ')}, not "${value}"`);
      return value;
    },
  };
}

function adapterNames(env: Record<string, string | undefined>): string[] {
  try {
    return [...readProcessorsFile(env['PROCESSORS_FILE'] ?? '', env).adapters.keys()];
  } catch {
    // The variable itself reports what is wrong with the file.
    return [];
  }
}
