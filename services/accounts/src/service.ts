import { DATABASES } from '@tollgate/contracts/databases';
import { createActorSigner } from '@tollgate/security/actor-token';
import type { Service, ServiceContext } from '@tollgate/service/service';
import { type App, type AppDeps, buildApp } from './app.ts';
import { type AccountsConfig, accountsVariables, readAccountsConfig } from './config.ts';
import { createPasswordHasher } from './passwords/password.ts';
import { accountsSchema } from './schema.ts';

export const service: Service<AccountsConfig, App> = {
  name: 'accounts',
  database: DATABASES.accounts,
  auditedCollections: [
    'teams',
    'members',
    'sessions',
    'api_tokens',
    'device_authorizations',
    'failed_sign_ins',
  ],
  schema: accountsSchema,
  variables: accountsVariables,
  configure: readAccountsConfig,
  build: (context) => buildApp(appDeps(context)),
};

/** Dependencies of the app, from the configuration and the open connections. Tests replace some of them. */
export function appDeps({ config, ...context }: ServiceContext<AccountsConfig>): AppDeps {
  return {
    ...context,
    signer: config.signer,
    passwords: createPasswordHasher(),
    encryptionKeys: config.encryptionKeys,
    signActor: createActorSigner(config.actorSigningKeys[0], context.clock),
    setupToken: config.setupToken,
  };
}
