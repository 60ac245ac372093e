import { createMessageVerifier } from '@tollgate/security/message-verifier';
import type { Service, ServiceContext } from '@tollgate/service/service';
import { type App, type AppDeps, buildApp } from './app.ts';
import { readUsageConfig, type UsageConfig, usageVariables } from './config.ts';
import { DATABASE } from './database.ts';
import { usageSchema } from './schema.ts';

export const service: Service<UsageConfig, App> = {
  name: 'usage',
  database: DATABASE,
  schema: usageSchema,
  variables: usageVariables,
  configure: readUsageConfig,
  build: (context) => buildApp(appDeps(context)),
};

function appDeps({ config, ...context }: ServiceContext<UsageConfig>): AppDeps {
  return {
    ...context,
    requestLogKeptMs: config.requestLogKeptMs,
    verifyWindow: createMessageVerifier('usage_window', {
      findPublicKey: config.signerPublicKeys,
      countUnverified: context.countUnverified,
    }),
  };
}
