import { documentOf } from '../bson/document.ts';
import * as types from '../semantics/field-types.ts';
import type { ConnectionUser } from '../wire/connection-state.ts';
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
    const authenticatedUserRoles = user === undefined ? [] : [documentOf(roleOf(user))];
    const authenticatedUserPrivileges = user === undefined ? [] : [documentOf(privilegeOf(user))];
    return ok({
      authInfo: documentOf({
        authenticatedUsers,
        authenticatedUserRoles,
        ...(showsPrivileges ? { authenticatedUserPrivileges } : {}),
      }),
    });
  },
};

function roleOf({ databaseName, onlyDatabase }: ConnectionUser) {
  return onlyDatabase === undefined
    ? { role: 'root', db: databaseName }
    : { role: 'readWrite', db: onlyDatabase };
}

function privilegeOf({ onlyDatabase }: ConnectionUser) {
  return onlyDatabase === undefined
    ? { resource: documentOf({ anyResource: true }), actions: ['anyAction'] }
    : {
        resource: documentOf({ db: onlyDatabase, collection: '' }),
        actions: [
          'find',
          'insert',
          'update',
          'remove',
          'createIndex',
          'dropIndex',
          'createCollection',
          'dropCollection',
        ],
      };
}
