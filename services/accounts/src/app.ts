import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { startPeriodic } from '@tollgate/runtime/periodic';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { createChatSender } from './chat/chat-sender.ts';
import { type AppDeps, type Context, createContext } from './context.ts';
import { createMailSender } from './mail/mail-sender.ts';
import { consumeAuditEntries } from './notices/consume-audit-entries.ts';
import type { Sender } from './outbox/sender.ts';
import { purgeExpired } from './purge-expired.ts';
import { reconcile } from './reconcile.ts';
import { serveAccountsRpc } from './rpc.ts';
import { notifyExpiringTokens } from './tokens/notify-expiring-tokens.ts';

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
  const context = createContext(deps);
  const { bus, mail, chat, identityProviders, verifyActor, logger } = context;
  const running: { stop(): unknown }[] = [];
  const stopping = new AbortController();
  const mails = createMailSender(context, stopping.signal);
  const chatMessages = createChatSender(context, stopping.signal);

  const tasks = [
    { name: 'finish interrupted changes', intervalMs: 30 * SECOND_MS, run: () => reconcile(context) },
    { name: 'delete expired data', intervalMs: 10 * MINUTE_MS, run: () => purgeExpired(context) },
    // Notices are a day and a week ahead: some minutes more or less do not matter.
    {
      name: 'notify of expiring tokens',
      intervalMs: 10 * MINUTE_MS,
      run: () => notifyExpiringTokens(context),
    },
    { name: 'post chat messages', intervalMs: SECOND_MS, run: async () => chatMessages.start() },
    { name: 'send mails', intervalMs: SECOND_MS, run: async () => mails.start() },
  ];

  return {
    context,
    reconcile: () => reconcile(context),
    forgetExpired: () => purgeExpired(context),
    sendMails: () => sendDue(mails),
    sendChatMessages: () => sendDue(chatMessages),

    start() {
      running.push(
        serveAccountsRpc(bus, context, { verifyActor, isUnavailable: isStoreUnavailable, logger }),
        consumeAuditEntries(context),
        ...tasks.map((task) => startPeriodic({ ...task, logger })),
      );
    },

    async stop() {
      stopping.abort();
      for (const part of running.splice(0)) await part.stop();
      await Promise.all([mails.idle(), chatMessages.idle()]);
      mail?.close();
      await chat.close();
      await identityProviders.close();
    },
  };
}

async function sendDue(sender: Sender): Promise<void> {
  sender.start();
  await sender.idle();
}
