import type { Command } from './command.ts';
import { ok } from './replies.ts';

export const logout: Command = {
  name: 'logout',
  beforeAuthentication: true,
  run({ connection }) {
    connection.user = undefined;
    return ok();
  },
};
