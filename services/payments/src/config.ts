import { DAY_MS, SECOND_MS } from '@tollgate/contracts/durations';
import {
  ConfigError,
  choice,
  durationMs,
  port,
  readConfig,
  text,
  url,
  type Variable,
} from '@tollgate/runtime/config';
import { keyring, signer } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';
import { historyKeys } from './seals/history-keys.ts';

const PROCESSORS = ['sandbox', 'manual'] as const;

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
    liveProcessor: choice('LIVE_PROCESSOR', PROCESSORS, { default: 'manual' }),
    sandboxProcessor: choice('SANDBOX_PROCESSOR', PROCESSORS, { default: 'sandbox' }),
    sandboxSettlementDelayMs: durationMs('SANDBOX_SETTLEMENT_DELAY', { default: 5 * SECOND_MS }),
    paymentExpiryMs: perEnvironment(durationMs('PAYMENT_EXPIRY'), {
      live: 7 * DAY_MS,
      sandbox: DAY_MS,
    }),
  });
  if (config.advertisedUrl === '' && EVERY_ADDRESS.has(config.host)) {
    throw new ConfigError([
      `ADVERTISED_URL is missing. Set it, because HOST is ${config.host}, which gateways cannot reach.`,
    ]);
  }
  return config;
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
