import { documentOf } from '../bson/document.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

export const connectionStatus: Command = {
  name: 'connectionStatus',
  beforeAuthentication: true,
  run({ connection: { user } }) {
    const authenticatedUsers =
      user === undefined ? [] : [documentOf({ user: user.name, db: user.databaseName })];
    const authenticatedUserRoles =
      user === undefined ? [] : [documentOf({ role: 'root', db: user.databaseName })];
    return ok({ authInfo: documentOf({ authenticatedUsers, authenticatedUserRoles }) });
  },
};
