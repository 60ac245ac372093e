import type { Bus } from '@tollgate/bus/connection';
import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
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
import { createChatSender } from './chat/chat-sender.ts';
import { createChatStore } from './chat/chat-store.ts';
import type { ChatTransport } from './chat/chat-transport.ts';
import type { Context } from './context.ts';
import { createDeviceTokens } from './devices/device-tokens.ts';
import { createInstallationStore } from './installation/installation-store.ts';
import { createDeviceAuthorizationStore } from './logins/device-authorization-store.ts';
import { createMailSender } from './mail/mail-sender.ts';
import { createMailStore } from './mail/mail-store.ts';
import type { MailTransport } from './mail/mail-transport.ts';
import { createMemberStore } from './members/member-store.ts';
import { consumeAuditEntries } from './notices/consume-audit-entries.ts';
import type { DashboardLinks } from './notices/dashboard-links.ts';
import { createOutboxMetrics } from './outbox/outbox-metrics.ts';
import type { Sender } from './outbox/sender.ts';
import { createChallengeStore } from './passkeys/challenge-store.ts';
import { relyingPartyOf } from './passkeys/relying-party.ts';
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
import { notifyExpiringTokens } from './tokens/notify-expiring-tokens.ts';

const RECONCILE_INTERVAL_MS = 30_000;
const FORGET_INTERVAL_MS = 10 * MINUTE_MS;
/** Notices are a day and a week ahead: some minutes more or less do not matter. */
const EXPIRY_NOTICE_INTERVAL_MS = 10 * MINUTE_MS;
const SEND_INTERVAL_MS = SECOND_MS;

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
  /** Public address of the dashboard, without a trailing slash. */
  dashboardUrl: string;
  /** Null while no mail server is configured: no mail is stored then. */
  mail: MailTransport | null;
  chat: ChatTransport;
  links: DashboardLinks;
  identityProviders: IdentityProviders;
  domainProofs: { lookUpTxt: LookUpTxt; operatorDomains: OperatorDomains };
  /** Returns why an audit entry of the bus fails verification, or null. */
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
  /** Sends the mails that are due, and resolves when none is in flight. */
  sendMails(): Promise<void>;
  /** Posts the chat messages that are due, and resolves when none is in flight. */
  sendChatMessages(): Promise<void>;
  /** Serves RPC and starts the periodic tasks. */
  start(): void;
  /** Finishes the calls in flight. */
  stop(): Promise<void>;
}

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(deps: AppDeps): App {
  const { bus, connection, audit, signer, signActor, verifyActor, setupToken, clock, logger } = deps;
  const { mail, chat, registry } = deps;
  const attempts = createThrottleStore(connection);
  const context: Context = {
    teams: createTeamStore(connection),
    members: createMemberStore(connection),
    sessions: createSessionStore(connection),
    tokens: createApiTokenStore(connection),
    deviceAuthorizations: createDeviceAuthorizationStore(connection),
    failedSignIns: createFailedSignInStore(connection),
    challenges: createChallengeStore(connection),
    ssoSettings: createSsoSettingsStore(connection),
    ssoAuthorizations: createAuthorizationStore(connection),
    identityProviders: deps.identityProviders,
    domainProofs: deps.domainProofs,
    dashboardUrl: deps.dashboardUrl,
    links: deps.links,
    installation: createInstallationStore(connection),
    idempotency: createIdempotencyStore(connection),
    mails: createMailStore(connection),
    sendsMail: mail !== null,
    chatMessages: createChatStore(connection),
    chat,
    relyingParty: relyingPartyOf(deps.dashboardUrl),
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

  const measured = { connection, clock, logger };
  const mailMetrics = createOutboxMetrics(registry, {
    channel: { metric: 'mails', singular: 'mail', plural: 'Mails' },
    outbox: context.mails,
    ...measured,
  });
  const chatMetrics = createOutboxMetrics(registry, {
    channel: { metric: 'chat_messages', singular: 'chat message', plural: 'Chat messages' },
    outbox: context.chatMessages,
    ...measured,
  });
  const { signal } = stopping;

  const mailSender = mail && createMailSender(context, { transport: mail, ...mailMetrics, logger, signal });
  const chatSender = createChatSender(context, { ...chatMetrics, logger, signal });

  return {
    context,
    reconcile: reconcileAll,
    forgetExpired: forget,
    sendMails: () => sendDue(mailSender),
    sendChatMessages: () => sendDue(chatSender),

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
      running.push(
        startPeriodic({
          name: 'notify of expiring tokens',
          intervalMs: EXPIRY_NOTICE_INTERVAL_MS,
          run: () => notifyExpiringTokens(context),
          logger,
        }),
        consumeAuditEntries(bus, context, { verify: deps.verifyEntry, logger }),
        startPeriodic({
          name: 'post chat messages',
          intervalMs: SEND_INTERVAL_MS,
          run: async () => chatSender.start(),
          logger,
        }),
      );
      if (!mailSender) return;
      running.push(
        startPeriodic({
          name: 'send mails',
          intervalMs: SEND_INTERVAL_MS,
          run: async () => mailSender.start(),
          logger,
        }),
      );
    },

    async stop() {
      stopping.abort();
      for (const part of running.splice(0)) await part.stop();
      await Promise.all([mailSender?.idle(), chatSender.idle()]);
      mail?.close();
      await chat.close();
      await deps.identityProviders.close();
    },
  };
}

async function sendDue(sender: Sender | null): Promise<void> {
  sender?.start();
  await sender?.idle();
}
