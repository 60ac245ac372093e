import { DATABASES } from '@tollgate/contracts/platform/databases';
import type { Service } from '@tollgate/service/service';
import { type App, buildApp } from './app.ts';
import { readUsageConfig, type UsageConfig, usageVariables } from './config.ts';
import { usageSchema } from './schema.ts';

export const service: Service<UsageConfig, App> = {
  name: 'usage',
  database: DATABASES.usage,
  schema: usageSchema,
  variables: usageVariables,
  configure: readUsageConfig,
  build: buildApp,
};
