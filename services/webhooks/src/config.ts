import { networks, platformPorts } from '@tollgate/outbound/network-variable';
import { type Environment, flag, integer, readConfig } from '@tollgate/runtime/config';
import { keyring, signer, verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

export type WebhooksConfig = ReturnType<typeof readWebhooksConfig>;

export const webhooksVariables = {
  ...serviceVariables,
  ...verifierVariables,
  signer: signer('webhooks', 'Sign audit entries.'),
  encryptionKeys: keyring('WEBHOOK_ENCRYPTION_KEYS', 'Encrypt the secrets of endpoints.'),
  allowPrivateNetworks: flag('WEBHOOKS_ALLOW_PRIVATE_NETWORKS', {
    default: false,
    description:
      'Allows loopback and private addresses in the sandbox. For development only: the operating system then resolves names, and a silent name server blocks threads of the process.',
  }),
  liveNetworks: networks(
    'WEBHOOKS_LIVE_NETWORKS',
    'Networks besides the internet that live endpoints may be in.',
  ),
  platformPorts,
  concurrency: integer('WEBHOOKS_CONCURRENCY', {
    min: 4,
    max: 1_000,
    default: 100,
    description:
      'Attempts in flight in an instance. A team can wait for up to 15 s when as many other teams have slow receivers.',
  }),
  maxConcurrencyPerEndpoint: integer('WEBHOOKS_MAX_CONCURRENCY_PER_ENDPOINT', {
    min: 1,
    max: 500,
    default: 25,
    description: 'The highest limit that the concurrency of one endpoint can reach.',
  }),
};

/** Reads and validates the environment. Throws one ConfigError that names every wrong variable. */
export function readWebhooksConfig(env: Environment) {
  return readConfig(env, webhooksVariables);
}
