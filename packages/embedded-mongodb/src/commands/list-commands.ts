import { documentOf } from '../bson/document.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

export function createListCommands(listed: () => readonly Command[]): Command {
  return {
    name: 'listCommands',
    beforeAuthentication: true,
    fields: {},
    run() {
      const described = listed().map(
        ({ name, beforeAuthentication = false }) =>
          [
            name,
            documentOf({ help: '', requiresAuth: !beforeAuthentication, secondaryOk: true, apiVersions: [] }),
          ] as const,
      );
      return ok({ commands: new Map(described) });
    },
  };
}
