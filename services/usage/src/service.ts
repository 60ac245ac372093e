import type { Service } from '@tollgate/service/service';
import { type App, buildApp } from './app.ts';
import { readUsageConfig } from './config.ts';
import { DATABASE } from './database.ts';

export const service: Service<ReturnType<typeof readUsageConfig>, App> = {
  name: 'usage',
  database: DATABASE,
  configure: readUsageConfig,
  build: buildApp,
};
