import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { AuditEntry } from '@tollgate/contracts/audit';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { withoutSignature } from '@tollgate/security/audit-entry';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { TeamStore } from '../teams/team-store.ts';
import { MAIL_MAX_AGE_MS } from './mail-limits.ts';
import type { MailStore } from './mail-store.ts';
import { mailsAbout } from './mails-about.ts';

const CONCURRENCY = 20;
const DURABLE = 'mail';

/** Stores a mail for each audit entry that a person should know of. A message is acknowledged when its mails are stored. */
export function consumeAuditEntries(
  bus: Bus,
  {
    mails,
    teams,
    verify,
    clock,
    logger,
  }: { mails: MailStore; teams: TeamStore; verify: VerifyMessage; clock: Clock; logger: Logger },
): { stop(): Promise<void> } {
  return consume(bus, {
    stream: 'AUDIT',
    durable: DURABLE,
    concurrency: CONCURRENCY,
    logger,
    schema: AuditEntry,
    verify,
    async handle({ body }) {
      const now = new Date(clock.now());
      // After mail is turned on, the stream still has entries of the past week.
      if (now.getTime() - Date.parse(body.occurred_at) > MAIL_MAX_AGE_MS) return;
      for (const mail of await mailsAbout({ teams }, withoutSignature(body), now)) await mails.insert(mail);
    },
  });
}
