import { setTimeout as delay } from 'node:timers/promises';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import type { Logger } from '@tollgate/runtime/logger';

/** Tree heads that wait for an unreachable witness. Beyond this number, the oldest remain only in the log. */
const MAX_WAITING = 1_000;
const ATTEMPTS = 5;
const FIRST_RETRY_DELAY_MS = 500;
const TIMEOUT_MS = 5_000;

export type Witness = ReturnType<typeof createWitness>;

/** @param url receives each tree head as the JSON body of a POST; null for none */
export function createWitness({ url, logger }: { url: string | null; logger: Logger }) {
  // For deployments without a witness, the log is one: a head is written at any LOG_LEVEL.
  const headLog = logger.child({}, { level: 'info' });
  const stopping = new AbortController();
  const waiting: AuditHead[] = [];
  let sending: Promise<void> | undefined;

  async function sendAll(to: string): Promise<void> {
    for (let head = waiting.shift(); head && !stopping.signal.aborted; head = waiting.shift()) {
      if (!(await send(to, head))) {
        logger.warn(
          { team_id: head.team_id, sequence: head.number },
          'the witness did not accept an audit tree head; only the log has it',
        );
      }
    }
  }

  async function send(to: string, head: AuditHead): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS && !stopping.signal.aborted; attempt += 1) {
      if (attempt > 0)
        await delay(FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1), undefined, stopping).catch(() => undefined);
      if (await post(to, head)) return true;
    }
    return false;
  }

  async function post(to: string, head: AuditHead): Promise<boolean> {
    try {
      const response = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(head),
        redirect: 'error',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }

  return {
    /** Sends the head to destinations outside MongoDB. Never waits. */
    publish(head: AuditHead): void {
      headLog.info({ head, team_id: head.team_id }, 'audit head');
      if (url === null) return;
      waiting.push(head);
      if (waiting.length > MAX_WAITING) waiting.shift();
      sending ??= sendAll(url).finally(() => {
        sending = undefined;
      });
    },
    /** Drops the heads that still wait. */
    async stop(): Promise<void> {
      stopping.abort();
      await sending;
    },
  };
}
