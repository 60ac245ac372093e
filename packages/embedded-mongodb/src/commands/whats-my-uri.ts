import type { Command } from './command.ts';
import { ok } from './replies.ts';

/** Where the server sees the client: mongosh asks for it when it connects. */
export const whatsMyUri: Command = {
  name: 'whatsmyuri',
  beforeAuthentication: true,
  run: ({ connection }) => ok({ you: connection.remoteAddress }),
};
