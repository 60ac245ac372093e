import type { Command } from './command.ts';
import { ok } from './replies.ts';

/** Sessions carry nothing on a standalone server without transactions: there is nothing to end. */
export const endSessions: Command = {
  name: 'endSessions',
  aliases: ['refreshSessions', 'killSessions'],
  beforeAuthentication: true,
  run: () => ok(),
};
