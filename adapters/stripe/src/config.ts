import type { Environment } from '@tollgate/contracts/platform/environment';
import {
  ConfigError,
  type Environment as ProcessEnvironment,
  readConfig,
  type VariableTable,
} from '@tollgate/runtime/config';

export interface StripeConfig {
  secretKey: string;
  environment: Environment;
  /** Several during a rotation, or with several webhook endpoints at Stripe. */
  webhookSecrets: readonly string[];
  /** Null for Stripe itself. */
  apiUrl: URL | null;
}

/** The key is sent in a header: other characters would make the HTTP client repeat it in an error. */
const SECRET_KEY = /^(?:sk|rk)_(test|live)_[A-Za-z0-9]{10,240}$/;
const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/=]{10,240}$/;

export const stripeVariables = {
  secretKey: {
    name: 'STRIPE_SECRET_KEY',
    description: '`sk_test_…` or `rk_test_…` serves sandbox, `sk_live_…` or `rk_live_…` serves live.',
    type: 'secret or restricted key',
    isSecret: true,
    parse(text: string) {
      if (SECRET_KEY.test(text)) return text;
      throw new Error(
        'must be a secret or restricted key, which starts with sk_test_, sk_live_, rk_test_, or rk_live_',
      );
    },
  },
  webhookSecrets: {
    name: 'STRIPE_WEBHOOK_SECRET',
    description: 'Signing secrets of the webhook endpoint: two during a rotation.',
    type: 'list of `whsec_…`',
    isSecret: true,
    parse(text: string) {
      const secrets = text.split(/[\s,]+/).filter((part) => part !== '');
      if (secrets.every((secret) => WEBHOOK_SECRET.test(secret))) return secrets;
      throw new Error('must be one or more signing secrets, which start with whsec_, separated by commas');
    },
  },
  apiUrl: {
    name: 'STRIPE_API_URL',
    description: 'Address of a test double. Rejected with a live key.',
    type: 'URL without a path',
    fallback: null,
    defaultText: 'Stripe',
    parse: parseOrigin,
  },
} satisfies VariableTable;

/** Reads and validates the environment. Errors never show a value. */
export function readStripeConfig(env: ProcessEnvironment): StripeConfig {
  const config = readConfig(env, stripeVariables);
  const environment = SECRET_KEY.exec(config.secretKey)?.[1] === 'live' ? 'live' : 'sandbox';
  if (environment === 'live' && config.apiUrl !== null) {
    throw new ConfigError([
      'STRIPE_API_URL must not be set with a live key. Remove it: it is for test doubles only.',
    ]);
  }
  return { ...config, environment };
}

function parseOrigin(text: string): URL | null {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url;
  throw new Error('must be an address such as http://127.0.0.1:12111, without a path or a password');
}
