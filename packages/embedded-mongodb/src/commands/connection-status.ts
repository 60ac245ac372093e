import { documentOf } from '../bson/document.ts';
import * as types from '../semantics/field-types.ts';
import type { Command } from './command.ts';
import { readBoolean } from './fields.ts';
import { ok } from './replies.ts';

export const connectionStatus: Command = {
  name: 'connectionStatus',
  beforeAuthentication: true,
  fields: { showPrivileges: types.boolean },
  run(request) {
    const { user } = request.connection;
    const showsPrivileges = readBoolean(request, 'showPrivileges');
    const authenticatedUsers =
      user === undefined ? [] : [documentOf({ user: user.name, db: user.databaseName })];
    const authenticatedUserRoles =
      user === undefined ? [] : [documentOf({ role: 'root', db: user.databaseName })];
    const authenticatedUserPrivileges =
      user === undefined
        ? []
        : [documentOf({ resource: documentOf({ anyResource: true }), actions: ['anyAction'] })];
    return ok({
      authInfo: documentOf({
        authenticatedUsers,
        authenticatedUserRoles,
        ...(showsPrivileges ? { authenticatedUserPrivileges } : {}),
      }),
    });
  },
};
