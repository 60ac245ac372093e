import { DATABASES } from '@tollgate/contracts/platform/databases';
import { createMessageVerifier } from '@tollgate/security/message-verifier';
import { createSignatureVerifier } from '@tollgate/security/signature';
import type { Service, ServiceContext } from '@tollgate/service/service';
import { type App, buildApp } from './app.ts';
import { readWebhooksConfig, type WebhooksConfig, webhooksVariables } from './config.ts';
import type { AppDeps } from './context.ts';
import { webhooksSchema } from './schema.ts';

export const service: Service<WebhooksConfig, App> = {
  name: 'webhooks',
  database: DATABASES.webhooks,
  auditedCollections: ['endpoints', 'deliveries'],
  schema: webhooksSchema,
  variables: webhooksVariables,
  configure: readWebhooksConfig,
  build: (context) => buildApp(appDeps(context)),
};

/** Dependencies of the app, from the configuration and the open connections. Tests replace some of them. */
export function appDeps({ config, ...context }: ServiceContext<WebhooksConfig>): AppDeps {
  const verification = {
    findPublicKey: config.signerPublicKeys,
    countUnverified: context.countUnverified,
  };
  return {
    ...context,
    signer: config.signer,
    encryptionKeys: config.encryptionKeys,
    addresses: {
      allowPrivateInSandbox: config.allowPrivateNetworks,
      liveNetworks: config.liveNetworks,
      platformPorts: config.platformPorts,
    },
    concurrency: config.concurrency,
    maxConcurrencyPerEndpoint: config.maxConcurrencyPerEndpoint,
    verifier: createSignatureVerifier(config.signerPublicKeys),
    verifyEvent: createMessageVerifier('payment_event', verification),
    verifyReset: createMessageVerifier('sandbox_reset', verification),
  };
}
