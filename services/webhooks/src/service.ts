import type { Service, ServiceContext } from '@tollgate/service/service';
import { type App, type AppDeps, buildApp } from './app.ts';
import { readWebhooksConfig, type WebhooksConfig } from './config.ts';

export const service: Service<WebhooksConfig, App> = {
  name: 'webhooks',
  database: 'tollgate_webhooks',
  auditedCollections: ['endpoints', 'deliveries'],
  configure: readWebhooksConfig,
  build: (context) => buildApp(appDeps(context)),
};

/** Dependencies of the app, from the configuration and the open connections. Tests replace some of them. */
export function appDeps({ config, ...context }: ServiceContext<WebhooksConfig>): AppDeps {
  return {
    ...context,
    encryptionKeys: config.encryptionKeys,
    addresses: { allowPrivateInSandbox: config.allowPrivateNetworks, liveNetworks: config.liveNetworks },
    concurrency: config.concurrency,
  };
}
