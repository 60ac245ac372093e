import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { ChatStore } from './chat/chat-store.ts';
import type { DeviceAuthorizationStore } from './logins/device-authorization-store.ts';
import type { MailStore } from './mail/mail-store.ts';
import type { ChallengeStore } from './passkeys/challenge-store.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { FailedSignInStore } from './sign-in/failed-sign-in-store.ts';
import type { AuthorizationStore } from './sso/sign-in/authorization-store.ts';
import { THROTTLE_MEMORY_MS } from './throttle/throttle.ts';
import type { ThrottleStore } from './throttle/throttle-store.ts';

const FAILED_SIGN_IN_RETENTION_MS = DAY_MS;
/** An operator can look up why a message was not sent. */
const SETTLED_MESSAGE_RETENTION_MS = 7 * DAY_MS;
/** A member who comes back to an old code reads that it expired, not that it never existed. */
const EXPIRED_LOGIN_RETENTION_MS = HOUR_MS;

/**
 * Deletes records that no longer affect any decision. TTL indexes cannot do this: they know only the server's clock,
 * and nothing of the outbox.
 */
export async function purgeExpired(stores: {
  sessions: SessionStore;
  failedSignIns: FailedSignInStore;
  attempts: ThrottleStore;
  challenges: ChallengeStore;
  deviceAuthorizations: DeviceAuthorizationStore;
  ssoAuthorizations: AuthorizationStore;
  mails: MailStore;
  chatMessages: ChatStore;
  clock: Clock;
}): Promise<void> {
  const nowMs = stores.clock.now();
  await stores.sessions.deleteExpired(new Date(nowMs));
  await stores.challenges.deleteExpired(new Date(nowMs));
  await stores.failedSignIns.deleteBefore(new Date(nowMs - FAILED_SIGN_IN_RETENTION_MS));
  await stores.deviceAuthorizations.deleteExpiredBefore(new Date(nowMs - EXPIRED_LOGIN_RETENTION_MS));
  await stores.ssoAuthorizations.deleteExpired(new Date(nowMs));
  const settledBefore = new Date(nowMs - SETTLED_MESSAGE_RETENTION_MS);
  await stores.mails.deleteSettledBefore(settledBefore);
  await stores.chatMessages.deleteSettledBefore(settledBefore);
  await stores.attempts.deleteBefore(new Date(nowMs - THROTTLE_MEMORY_MS));
}
