import { DATABASES } from '@tollgate/contracts/platform/databases';
import { createActorSigner } from '@tollgate/security/actor-token';
import { mayWriteAuditEntry } from '@tollgate/security/audit-entry';
import { createMessageVerifier } from '@tollgate/security/message-verifier';
import type { Service, ServiceContext } from '@tollgate/service/service';
import { type App, buildApp } from './app.ts';
import { createChatTransport } from './chat/chat-transport.ts';
import { type AccountsConfig, accountsVariables, readAccountsConfig } from './config.ts';
import type { AppDeps } from './context.ts';
import { createMailTransport } from './mail/mail-transport.ts';
import { createLeakedPasswords } from './passwords/leaked/leaked-passwords.ts';
import { createPasswordHasher } from './passwords/password.ts';
import { accountsSchema } from './schema.ts';
import { connectToProviders } from './sso/provider/connect-to-providers.ts';
import type { IdentityProviders } from './sso/provider/identity-providers.ts';
import { createOpenIdConnect } from './sso/provider/openid-connect.ts';
import { lookUpTxt } from './sso/settings/domain-proof.ts';

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
    'sso_settings',
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
    leakedPasswords: createLeakedPasswords({ ranges: config.passwordRanges, logger: context.logger }),
    encryptionKeys: config.encryptionKeys,
    signActor: createActorSigner(config.actorSigningKeys[0], context.clock),
    setupToken: config.setupToken,
    dashboardUrl: config.dashboardUrl,
    mail: mailOf(config),
    chat: createChatTransport(
      {
        allowsPrivate: config.chatAllowsPrivateNetworks,
        networks: config.chatNetworks,
        platformPorts: config.platformPorts,
      },
      context.clock,
    ),
    identityProviders: identityProvidersOf(config, context),
    domainProofs: { lookUpTxt, operatorDomains: config.ssoVerifiedDomains },
    verifyEntry: createMessageVerifier('audit_entry', {
      findPublicKey: config.signerPublicKeys,
      countUnverified: context.countUnverified,
      mayWrite: mayWriteAuditEntry,
    }),
  };
}

function identityProvidersOf(
  { ssoAllowPrivateNetworks: allowsPrivate, ssoNetworks: networks, platformPorts }: AccountsConfig,
  { clock, logger }: Pick<AppDeps, 'clock' | 'logger'>,
): IdentityProviders {
  const connections = connectToProviders({ allowsPrivate, networks, platformPorts });
  return createOpenIdConnect({ ...connections, allowsHttp: allowsPrivate, clock, logger });
}

function mailOf({ smtp, mailFrom }: AccountsConfig): AppDeps['mail'] {
  return smtp === null || mailFrom === null ? null : createMailTransport({ smtp, from: mailFrom });
}
