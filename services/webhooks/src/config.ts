import { flag, integer, list, readConfig, type Variable } from '@tollgate/runtime/config';
import { keyring } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';
import { type Network, parseNetwork } from './sending/address-policy.ts';

export type WebhooksConfig = ReturnType<typeof readWebhooksConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every wrong variable. */
export function readWebhooksConfig(env: Record<string, string | undefined>) {
  return readConfig(env, {
    ...serviceVariables,
    /** Keys that the endpoints' secrets are encrypted under, by version; the first is for new secrets. */
    encryptionKeys: keyring('WEBHOOK_ENCRYPTION_KEYS'),
    /** Loopback and private addresses in the sandbox: for one machine, never where others can make endpoints. */
    allowPrivateNetworks: flag('WEBHOOKS_ALLOW_PRIVATE_NETWORKS', { default: false }),
    /** Networks that live endpoints may be in besides the internet. */
    liveNetworks: networks('WEBHOOKS_LIVE_NETWORKS'),
    /** Attempts in flight at once, in this instance. */
    concurrency: integer('WEBHOOKS_CONCURRENCY', { min: 4, max: 1_000, default: 100 }),
  });
}

function networks(name: string): Variable<Network[]> {
  const texts = list(name, { default: [] });
  return { name, fallback: [], parse: (value) => texts.parse(value).map(parseNetwork) };
}
