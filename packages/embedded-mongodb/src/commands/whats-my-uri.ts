import type { Command } from './command.ts';
import { ok } from './replies.ts';

/** Returns the address of the client. mongosh sends it when it connects. */
export const whatsMyUri: Command = {
  name: 'whatsmyuri',
  beforeAuthentication: true,
  run: ({ connection }) => ok({ you: connection.remoteAddress }),
};
