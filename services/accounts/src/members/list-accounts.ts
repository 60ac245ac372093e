import { type ActingMember, inTeam } from '../access/acting-member.ts';
import type { Context } from '../context.ts';

/** The accounts with this normalized email, in all teams. */
export async function listAccounts(context: Context, email: string): Promise<ActingMember[]> {
  const accounts: ActingMember[] = [];
  for (const member of await context.members.listByEmail(email)) {
    const account = await inTeam(context, member);
    if (account) accounts.push(account);
  }
  return accounts;
}
