import type { Environment } from '@tollgate/contracts/environment';
import { ConfigError, readConfig, type Variable } from '@tollgate/runtime/config';

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

/** Environment variables, validated. README.md describes each. Errors never show a value. */
export function readStripeConfig(env: Record<string, string | undefined>): StripeConfig {
  const config = readConfig(env, {
    secretKey: variable('STRIPE_SECRET_KEY', (text) => {
      if (SECRET_KEY.test(text)) return text;
      throw new Error(
        'must be a secret or restricted key, which starts with sk_test_, sk_live_, rk_test_, or rk_live_',
      );
    }),
    webhookSecrets: variable('STRIPE_WEBHOOK_SECRET', (text) => {
      const secrets = text.split(/[\s,]+/).filter((part) => part !== '');
      if (secrets.every((secret) => WEBHOOK_SECRET.test(secret))) return secrets;
      throw new Error('must be one or more signing secrets, which start with whsec_, separated by commas');
    }),
    apiUrl: { ...variable('STRIPE_API_URL', parseOrigin), fallback: null },
  });
  const environment = SECRET_KEY.exec(config.secretKey)?.[1] === 'live' ? 'live' : 'sandbox';
  if (environment === 'live' && config.apiUrl !== null) {
    throw new ConfigError([
      'STRIPE_API_URL must not be set with a live key. Remove it: it is for test doubles only.',
    ]);
  }
  return { ...config, environment };
}

function variable<Value>(name: string, parse: (text: string) => Value): Variable<Value> {
  return { name, parse };
}

function parseOrigin(text: string): URL | null {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url;
  throw new Error('must be an address such as http://127.0.0.1:12111, without a path or a password');
}
