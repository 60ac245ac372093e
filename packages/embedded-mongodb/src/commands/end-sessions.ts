import * as types from '../semantics/field-types.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

const sessions = types.notNull(types.arrayOf(types.sessionId));

/** Does nothing: sessions have no state on a standalone server without transactions. */
export const endSessions: Command = {
  name: 'endSessions',
  aliases: ['refreshSessions', 'killSessions'],
  beforeAuthentication: true,
  fields: { endSessions: sessions, refreshSessions: sessions, killSessions: sessions },
  run: () => ok(),
};
