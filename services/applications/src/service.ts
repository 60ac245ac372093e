import { DATABASES } from '@tollgate/contracts/platform/databases';
import { createSignatureVerifier } from '@tollgate/security/signature';
import type { Service } from '@tollgate/service/service';
import { type App, buildApp } from './app.ts';
import { applicationsVariables, readApplicationsConfig } from './config.ts';
import { applicationsSchema } from './schema.ts';

export const service: Service<ReturnType<typeof readApplicationsConfig>, App> = {
  name: 'applications',
  database: DATABASES.applications,
  auditedCollections: ['applications', 'api_keys', 'leaked_key_policies'],
  schema: applicationsSchema,
  variables: applicationsVariables,
  configure: readApplicationsConfig,
  build: ({ config, ...context }) =>
    buildApp({
      ...context,
      peppers: config.apiKeyPeppers,
      signer: config.signer,
      verifier: createSignatureVerifier(config.signerPublicKeys),
    }),
};
