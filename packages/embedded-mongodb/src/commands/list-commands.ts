import { documentOf } from '../bson/document.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './registry.ts';
import { ok } from './replies.ts';

export const listCommands: Command = {
  name: 'listCommands',
  beforeAuthentication: true,
  fields: {},
  run() {
    const described = COMMANDS.map(
      ({ name, beforeAuthentication = false }) =>
        [
          name,
          documentOf({ help: '', requiresAuth: !beforeAuthentication, secondaryOk: true, apiVersions: [] }),
        ] as const,
    );
    return ok({ commands: new Map(described) });
  },
};
