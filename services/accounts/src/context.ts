import type { Clock } from '@tollgate/runtime/clock';
import type { SignActor } from '@tollgate/security/actor-token';
import type { Signer } from '@tollgate/security/signature';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import type { IdempotencyStore } from '@tollgate/store/idempotency-store';
import type { ChatStore } from './chat/chat-store.ts';
import type { ChatTransport } from './chat/chat-transport.ts';
import type { DeviceTokens } from './devices/device-tokens.ts';
import type { InstallationStore } from './installation/installation-store.ts';
import type { DeviceAuthorizationStore } from './logins/device-authorization-store.ts';
import type { MailStore } from './mail/mail-store.ts';
import type { MemberStore } from './members/member-store.ts';
import type { DashboardLinks } from './notices/dashboard-links.ts';
import type { ChallengeStore } from './passkeys/challenge-store.ts';
import type { RelyingParty } from './passkeys/relying-party.ts';
import type { LeakedPasswords } from './passwords/leaked/leaked-passwords.ts';
import type { PasswordHasher } from './passwords/password.ts';
import type { SecretEncryption } from './secret-encryption.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { FailedSignInStore } from './sign-in/failed-sign-in-store.ts';
import type { IdentityProviders } from './sso/provider/identity-providers.ts';
import type { LookUpTxt, OperatorDomains } from './sso/settings/domain-proof.ts';
import type { SsoSettingsStore } from './sso/settings/sso-settings-store.ts';
import type { AuthorizationStore } from './sso/sign-in/authorization-store.ts';
import type { TeamStore } from './teams/team-store.ts';
import type { AttemptThrottle } from './throttle/attempt-throttle.ts';
import type { ApiTokenStore } from './tokens/api-token-store.ts';

/** Dependencies of the use cases. */
export interface Context {
  teams: TeamStore;
  members: MemberStore;
  sessions: SessionStore;
  tokens: ApiTokenStore;
  deviceAuthorizations: DeviceAuthorizationStore;
  failedSignIns: FailedSignInStore;
  challenges: ChallengeStore;
  ssoSettings: SsoSettingsStore;
  ssoAuthorizations: AuthorizationStore;
  identityProviders: IdentityProviders;
  domainProofs: { lookUpTxt: LookUpTxt; operatorDomains: OperatorDomains };
  /** Public address of the dashboard, without a trailing slash. */
  dashboardUrl: string;
  links: DashboardLinks;
  installation: InstallationStore;
  idempotency: IdempotencyStore;
  mails: MailStore;
  chatMessages: ChatStore;
  chat: ChatTransport;
  /** Whether a mail server is configured. */
  sendsMail: boolean;
  relyingParty: RelyingParty;
  throttle: AttemptThrottle;
  devices: DeviceTokens;
  audit: Pick<AuditOutbox, 'enqueue'>;
  /** Signs audit entries. */
  signer: Signer;
  passwords: PasswordHasher;
  leakedPasswords: LeakedPasswords;
  encryption: SecretEncryption;
  signActor: SignActor;
  /** The token with which the first owner proves their right to set up; null disables the setup. */
  setupToken: string | null;
  clock: Clock;
}
