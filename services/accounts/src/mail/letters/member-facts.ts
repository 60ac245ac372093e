import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { timeText } from '../../notices/time-text.ts';
import type { Letter } from '../letter.ts';

/** To whom a letter to a member goes, and the team that it is about. */
export interface Recipient {
  to: string;
  teamName: string;
}

/** The facts that every letter to a member states. */
export function memberFacts(
  { occurred_at }: AuditEntry,
  { teamName }: Recipient,
): NonNullable<Letter['facts']> {
  return [
    { label: 'Team', value: teamName },
    { label: 'Time', value: timeText(new Date(occurred_at)) },
  ];
}
