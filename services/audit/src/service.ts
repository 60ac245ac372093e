import { DATABASES } from '@tollgate/contracts/platform/databases';
import { mayWriteAuditEntry } from '@tollgate/security/audit-entry';
import { createMessageVerifier } from '@tollgate/security/message-verifier';
import type { Service, ServiceContext } from '@tollgate/service/service';
import { type App, type AppDeps, buildApp } from './app.ts';
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

/** Dependencies of the app, from the configuration and the open connections. Tests replace some of them. */
export function appDeps({ config, ...context }: ServiceContext<AuditConfig>): AppDeps {
  const verification = {
    findPublicKey: config.signerPublicKeys,
    countUnverified: context.countUnverified,
  };
  return {
    ...context,
    verifyEntry: createMessageVerifier('audit_entry', { ...verification, mayWrite: mayWriteAuditEntry }),
    verifyEvent: createMessageVerifier('payment_event', verification),
    signingKeys: config.signingKeys,
    witnessUrl: config.witnessUrl || null,
  };
}
