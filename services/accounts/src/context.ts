import type { Bus } from '@tollgate/bus/connection';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { SignActor, VerifyActor } from '@tollgate/security/actor-token';
import type { Keyring } from '@tollgate/security/keyring';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { Signer } from '@tollgate/security/signature';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import { createChatStore } from './chat/chat-store.ts';
import type { ChatTransport } from './chat/chat-transport.ts';
import { createDeviceTokens } from './devices/device-tokens.ts';
import { createInstallationStore } from './installation/installation-store.ts';
import { createDeviceAuthorizationStore } from './logins/device-authorization-store.ts';
import { createMailStore } from './mail/mail-store.ts';
import type { MailTransport } from './mail/mail-transport.ts';
import { createMemberStore } from './members/member-store.ts';
import { createDashboardLinks } from './notices/dashboard-links.ts';
import { createChallengeStore } from './passkeys/challenge-store.ts';
import { relyingPartyOf } from './passkeys/relying-party.ts';
import type { LeakedPasswords } from './passwords/leaked/leaked-passwords.ts';
import type { PasswordHasher } from './passwords/password.ts';
import { createSecretEncryption } from './secret-encryption.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createFailedSignInStore } from './sign-in/failed-sign-in-store.ts';
import type { IdentityProviders } from './sso/provider/identity-providers.ts';
import type { LookUpTxt, OperatorDomains } from './sso/settings/domain-proof.ts';
import { createSsoSettingsStore } from './sso/settings/sso-settings-store.ts';
import { createAuthorizationStore } from './sso/sign-in/authorization-store.ts';
import { createTeamStore } from './teams/team-store.ts';
import { createAttemptThrottle } from './throttle/attempt-throttle.ts';
import { createThrottleStore } from './throttle/throttle-store.ts';
import { createApiTokenStore } from './tokens/api-token-store.ts';

export interface AppDeps {
  bus: Bus;
  connection: Connection;
  audit: AuditOutbox;
  /** Signs audit entries. */
  signer: Signer;
  passwords: PasswordHasher;
  leakedPasswords: LeakedPasswords;
  encryptionKeys: Keyring;
  signActor: SignActor;
  verifyActor: VerifyActor;
  /** The token with which the first owner proves their right to set up; null disables the setup. */
  setupToken: string | null;
  /** Public address of the dashboard, without a trailing slash. */
  dashboardUrl: string;
  /** Null while no mail server is configured: no mail is stored then. */
  mail: MailTransport | null;
  chat: ChatTransport;
  identityProviders: IdentityProviders;
  domainProofs: { lookUpTxt: LookUpTxt; operatorDomains: OperatorDomains };
  /** Returns why an audit entry of the bus fails verification, or null. */
  verifyEntry: VerifyMessage;
  clock: Clock;
  logger: Logger;
  /** Registry of the service's metrics. */
  registry: Registry;
}

/** Dependencies of the use cases. */
export type Context = ReturnType<typeof createContext>;

export function createContext(deps: AppDeps) {
  const { connection, encryptionKeys, dashboardUrl, clock } = deps;
  const attempts = createThrottleStore(connection);
  return {
    ...deps,
    teams: createTeamStore(connection),
    members: createMemberStore(connection),
    sessions: createSessionStore(connection),
    tokens: createApiTokenStore(connection),
    deviceAuthorizations: createDeviceAuthorizationStore(connection),
    failedSignIns: createFailedSignInStore(connection),
    challenges: createChallengeStore(connection),
    ssoSettings: createSsoSettingsStore(connection),
    ssoAuthorizations: createAuthorizationStore(connection),
    installation: createInstallationStore(connection),
    idempotency: createIdempotencyStore(connection),
    mails: createMailStore(connection),
    sendsMail: deps.mail !== null,
    chatMessages: createChatStore(connection),
    attempts,
    throttle: createAttemptThrottle(attempts, clock),
    links: createDashboardLinks(dashboardUrl),
    relyingParty: relyingPartyOf(dashboardUrl),
    devices: createDeviceTokens(createSecretEncryption(encryptionKeys, 'tollgate device tokens'), clock),
    encryption: createSecretEncryption(encryptionKeys, 'tollgate accounts secrets'),
  };
}
