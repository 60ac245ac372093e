import type { Bus } from '@tollgate/bus/connection';
import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { startPeriodic } from '@tollgate/runtime/periodic';
import type { SignActor, VerifyActor } from '@tollgate/security/actor-token';
import type { Keyring } from '@tollgate/security/keyring';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { Signer } from '@tollgate/security/signature';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { Context } from './context.ts';
import { createDeviceTokens } from './devices/device-tokens.ts';
import { createInstallationStore } from './installation/installation-store.ts';
import { createDeviceAuthorizationStore } from './logins/device-authorization-store.ts';
import { consumeAuditEntries } from './mail/consume-audit-entries.ts';
import type { DashboardLinks } from './mail/dashboard-links.ts';
import { createMailMetrics } from './mail/mail-metrics.ts';
import { createMailStore } from './mail/mail-store.ts';
import type { MailTransport } from './mail/mail-transport.ts';
import { sendDueMails } from './mail/send-due-mails.ts';
import { createMemberStore } from './members/member-store.ts';
import type { LeakedPasswords } from './passwords/leaked/leaked-passwords.ts';
import type { PasswordHasher } from './passwords/password.ts';
import { purgeExpired } from './purge-expired.ts';
import { reconcile } from './reconcile.ts';
import { serveAccountsRpc } from './rpc.ts';
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

const RECONCILE_INTERVAL_MS = 30_000;
const FORGET_INTERVAL_MS = 10 * MINUTE_MS;
const MAIL_INTERVAL_MS = SECOND_MS;

export interface AppDeps {
  bus: Bus;
  connection: Connection;
  audit: AuditOutbox;
  signer: Signer;
  passwords: PasswordHasher;
  leakedPasswords: LeakedPasswords;
  encryptionKeys: Keyring;
  signActor: SignActor;
  verifyActor: VerifyActor;
  setupToken: string | null;
  /** Null while no mail server is configured: no mail is stored then. */
  mail: { transport: MailTransport; links: DashboardLinks } | null;
  identityProviders: IdentityProviders;
  domainProofs: { lookUpTxt: LookUpTxt; operatorDomains: OperatorDomains };
  /** Public address of the dashboard, without a trailing slash. */
  dashboardUrl: string;
  /** Returns why an audit entry of the bus is not believed, or null. */
  verifyEntry: VerifyMessage;
  clock: Clock;
  logger: Logger;
  /** Registry of the service's metrics. */
  registry: Registry;
}

export interface App {
  context: Context;
  /** Completes operations that a crash interrupted between two writes. */
  reconcile(): Promise<void>;
  /** Deletes expired records. */
  forgetExpired(): Promise<void>;
  /** Sends the mails that are due. */
  sendMails(): Promise<void>;
  /** Serves RPC and starts the periodic tasks. */
  start(): void;
  /** Finishes the calls in flight. */
  stop(): Promise<void>;
}

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(deps: AppDeps): App {
  const { bus, connection, audit, signer, signActor, verifyActor, setupToken, clock, logger } = deps;
  const attempts = createThrottleStore(connection);
  const mails = createMailStore(connection);
  const context: Context = {
    teams: createTeamStore(connection),
    members: createMemberStore(connection),
    sessions: createSessionStore(connection),
    tokens: createApiTokenStore(connection),
    deviceAuthorizations: createDeviceAuthorizationStore(connection),
    failedSignIns: createFailedSignInStore(connection),
    ssoSettings: createSsoSettingsStore(connection),
    ssoAuthorizations: createAuthorizationStore(connection),
    identityProviders: deps.identityProviders,
    domainProofs: deps.domainProofs,
    dashboardUrl: deps.dashboardUrl,
    installation: createInstallationStore(connection),
    idempotency: createIdempotencyStore(connection),
    mails,
    sendsMail: deps.mail !== null,
    throttle: createAttemptThrottle(attempts, clock),
    audit,
    signer,
    passwords: deps.passwords,
    leakedPasswords: deps.leakedPasswords,
    devices: createDeviceTokens(createSecretEncryption(deps.encryptionKeys, 'tollgate device tokens'), clock),
    encryption: createSecretEncryption(deps.encryptionKeys, 'tollgate accounts secrets'),
    signActor,
    setupToken,
    clock,
  };
  const running: { stop(): unknown }[] = [];
  const stopping = new AbortController();
  const reconcileAll = () => reconcile(context);
  const forget = () => purgeExpired({ ...context, attempts });

  const metrics = createMailMetrics(deps.registry, { mails, connection, clock, logger });

  async function sendMails(): Promise<void> {
    if (!deps.mail) return;
    const { transport, links } = deps.mail;
    await sendDueMails({
      context: { ...context, links },
      transport,
      metrics,
      logger,
      signal: stopping.signal,
    });
  }

  return {
    context,
    reconcile: reconcileAll,
    forgetExpired: forget,
    sendMails,

    start() {
      const reconciling = startPeriodic({
        name: 'finish interrupted changes',
        intervalMs: RECONCILE_INTERVAL_MS,
        run: reconcileAll,
        logger,
      });
      const forgetting = startPeriodic({
        name: 'delete expired data',
        intervalMs: FORGET_INTERVAL_MS,
        run: forget,
        logger,
      });
      running.push(
        serveAccountsRpc(bus, context, { verifyActor, isUnavailable: isStoreUnavailable, logger }),
      );
      running.push(reconciling, forgetting);
      if (!deps.mail) return;
      running.push(
        consumeAuditEntries(bus, {
          mails,
          teams: context.teams,
          verify: deps.verifyEntry,
          clock,
          logger,
        }),
        startPeriodic({ name: 'send mails', intervalMs: MAIL_INTERVAL_MS, run: sendMails, logger }),
      );
    },

    async stop() {
      stopping.abort();
      for (const part of running.splice(0)) await part.stop();
      deps.mail?.transport.close();
      await deps.identityProviders.close();
    },
  };
}
