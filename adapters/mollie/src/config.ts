import type { Environment } from '@tollgate/contracts/environment';
import { ConfigError, list, readConfig, type Variable } from '@tollgate/runtime/config';

export interface MollieConfig {
  apiKey: string;
  environment: Environment;
  /** Ends with a slash, so that relative paths are appended. */
  apiUrl: string;
  webhookUrl: string;
  /** Signing secrets of Mollie's next-generation webhooks; empty when none are set up. */
  webhookSecrets: readonly string[];
}

/** The key is sent in a header: other characters would make the HTTP client repeat it in an error. */
const API_KEY = /^(test|live)_[A-Za-z0-9]{10,100}$/;

/** Environment variables, validated. README.md describes each. Errors never show a value. */
export function readMollieConfig(env: Record<string, string | undefined>): MollieConfig {
  const config = readConfig(env, {
    apiKey: variable('MOLLIE_API_KEY', (text) => {
      if (API_KEY.test(text)) return text;
      throw new Error('must be an API key of Mollie, which starts with test_ or live_');
    }),
    apiUrl: { ...address('MOLLIE_API_URL'), fallback: 'https://api.mollie.com/v2/' },
    webhookUrl: address('MOLLIE_WEBHOOK_URL'),
    webhookSecrets: list('MOLLIE_WEBHOOK_SECRETS', { default: [] }),
  });
  const environment = config.apiKey.startsWith('live_') ? 'live' : 'sandbox';
  if (environment === 'live') {
    const plain = (['apiUrl', 'webhookUrl'] as const).filter((name) => !config[name].startsWith('https:'));
    if (plain.length > 0) {
      throw new ConfigError(
        plain.map(
          (name) => `${VARIABLES[name]} must start with https://, because the API key is a live key.`,
        ),
      );
    }
  }
  return { ...config, apiUrl: config.apiUrl.replace(/\/?$/, '/'), environment };
}

const VARIABLES = { apiUrl: 'MOLLIE_API_URL', webhookUrl: 'MOLLIE_WEBHOOK_URL' };

function variable(name: string, parse: (text: string) => string): Variable<string> {
  return { name, parse };
}

/** With http:// for test keys only: a test double has no certificate, and Mollie calls such webhooks in test mode. */
function address(name: string): Variable<string> {
  return variable(name, (text) => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash) return url.href;
    throw new Error('must be an address that starts with https://, without a password');
  });
}
