import type { Command } from './command.ts';
import { ok } from './replies.ts';

/** Returns the client's address. mongosh sends this command when it connects. */
export const whatsMyUri: Command = {
  name: 'whatsmyuri',
  beforeAuthentication: true,
  run: ({ connection }) => ok({ you: connection.remoteAddress }),
};
