import { DATABASES } from '@tollgate/contracts/platform/databases';
import type { Service } from '@tollgate/service/service';
import { type App, appDeps, buildApp } from './app.ts';
import { type AuditConfig, auditVariables, readAuditConfig } from './config.ts';
import { auditSchema } from './schema.ts';

export const service: Service<AuditConfig, App> = {
  name: 'audit',
  database: DATABASES.audit,
  schema: auditSchema,
  variables: auditVariables,
  configure: readAuditConfig,
  build: (context) => buildApp(appDeps(context)),
};
