import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { NewOutgoing } from '../outbox/outbox-store.ts';
import type { Team } from '../teams/team.ts';

/** What a chat message is about: something that the audit log records. */
export interface ChatTopic {
  entry: AuditEntry;
}

/** The message of the team's chat about an entry. Its id is that of the entry: a repeated message of the bus adds none. */
export function chatMessageAbout(
  entry: AuditEntry,
  { _id, chat }: Team,
  created_at: Date,
): NewOutgoing<ChatTopic> | null {
  return chat && { _id: entry.id, team_id: _id, topic: { entry }, created_at };
}
