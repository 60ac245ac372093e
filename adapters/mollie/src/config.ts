import type { Environment } from '@tollgate/contracts/platform/environment';
import {
  ConfigError,
  list,
  type Environment as ProcessEnvironment,
  readConfig,
  type VariableTable,
} from '@tollgate/runtime/config';

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

export const mollieVariables = {
  apiKey: {
    name: 'MOLLIE_API_KEY',
    description:
      'API key of the profile. `test_…` serves sandbox, `live_…` serves live. Access tokens of organizations are not supported.',
    type: 'API key',
    isSecret: true,
    parse(text: string) {
      if (API_KEY.test(text)) return text;
      throw new Error('must be an API key of Mollie, which starts with test_ or live_');
    },
  },
  apiUrl: {
    name: 'MOLLIE_API_URL',
    description: "Address of Mollie's API. Change it only for a test double.",
    type: 'URL',
    fallback: 'https://api.mollie.com/v2/',
    parse: parseAddress,
  },
  webhookUrl: {
    name: 'MOLLIE_WEBHOOK_URL',
    description:
      'Public address of the path `/webhooks` of the webhook listener. Mollie gets it with each payment.',
    type: 'URL',
    parse: parseAddress,
  },
  webhookSecrets: list('MOLLIE_WEBHOOK_SECRETS', {
    default: [],
    isSecret: true,
    description:
      'Secrets of next-generation webhooks, if you set up such a webhook at Mollie. Two during a rotation.',
  }),
} satisfies VariableTable;

/** Reads and validates the environment. Errors never show a value. */
export function readMollieConfig(env: ProcessEnvironment): MollieConfig {
  const config = readConfig(env, mollieVariables);
  const environment = config.apiKey.startsWith('live_') ? 'live' : 'sandbox';
  if (environment === 'live') {
    const plain = (['apiUrl', 'webhookUrl'] as const).filter((name) => !config[name].startsWith('https:'));
    if (plain.length > 0) {
      throw new ConfigError(
        plain.map(
          (name) =>
            `${mollieVariables[name].name} must start with https://, because the API key is a live key.`,
        ),
      );
    }
  }
  return { ...config, apiUrl: config.apiUrl.replace(/\/?$/, '/'), environment };
}

/** The address may use http:// with test keys only: a test double has no certificate, and Mollie calls such webhooks in test mode. */
function parseAddress(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash) return url.href;
  throw new Error('must be an address that starts with https://, without a password');
}
