import { documentOf } from '../bson/document.ts';
import type { Command } from './command.ts';
import { refusedCommands } from './refused-commands.ts';
import { commands } from './registry.ts';
import { ok } from './replies.ts';

export const listCommands: Command = {
  name: 'listCommands',
  beforeAuthentication: true,
  fields: ['listCommands'],
  run() {
    const served = [...new Set(commands.values())].filter((command) => !refusedCommands.includes(command));
    const described = served.map(
      ({ name, beforeAuthentication = false }) =>
        [
          name,
          documentOf({ help: '', requiresAuth: !beforeAuthentication, secondaryOk: true, apiVersions: [] }),
        ] as const,
    );
    return ok({ commands: new Map(described) });
  },
};
