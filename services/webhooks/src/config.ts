import { flag, integer, list, readConfig, type Variable } from '@tollgate/runtime/config';
import { keyring, signer, verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';
import { type Network, parseNetwork } from './sending/address-policy.ts';

export type WebhooksConfig = ReturnType<typeof readWebhooksConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every wrong variable. */
export function readWebhooksConfig(env: Record<string, string | undefined>) {
  return readConfig(env, {
    ...serviceVariables,
    ...verifierVariables,
    /** Signs audit entries. */
    signer: signer('webhooks'),
    /** Keys that encrypt the endpoints' secrets, by version; the first encrypts new secrets. */
    encryptionKeys: keyring('WEBHOOK_ENCRYPTION_KEYS'),
    /** Allows loopback and private addresses in the sandbox. For one machine only, never where others can create endpoints. */
    allowPrivateNetworks: flag('WEBHOOKS_ALLOW_PRIVATE_NETWORKS', { default: false }),
    /** Networks besides the internet that live endpoints may be in. */
    liveNetworks: networks('WEBHOOKS_LIVE_NETWORKS'),
    /** Attempts in flight in this instance. */
    concurrency: integer('WEBHOOKS_CONCURRENCY', { min: 4, max: 1_000, default: 100 }),
    /** The highest limit that the concurrency of one endpoint can reach. */
    maxConcurrencyPerEndpoint: integer('WEBHOOKS_MAX_CONCURRENCY_PER_ENDPOINT', {
      min: 1,
      max: 500,
      default: 25,
    }),
  });
}

function networks(name: string): Variable<Network[]> {
  const texts = list(name, { default: [] });
  return { name, fallback: [], parse: (value) => texts.parse(value).map(parseNetwork) };
}
