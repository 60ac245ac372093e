import { readConfig } from '@tollgate/runtime/config';
import { runService } from '../src/run-service.ts';
import type { Service, ServiceApp, ServiceConfig } from '../src/service.ts';
import { serviceVariables } from '../src/service.ts';

/** A service that does nothing. */
export const idleService: Service<ServiceConfig, ServiceApp> = {
  name: 'idle',
  database: 'tollgate_idle',
  schema: {
    version: 1,
    readableFrom: 1,
    indexes: { things: [{ key: { name: 1 }, purpose: 'Things by name' }] },
  },
  variables: serviceVariables,
  configure: (env) => readConfig(env, serviceVariables),
  build: () => ({ start() {}, async stop() {} }),
};

if (import.meta.main) await runService(idleService);
