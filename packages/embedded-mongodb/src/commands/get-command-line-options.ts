import { documentOf } from '../bson/document.ts';
import type { Command } from './command.ts';
import { assertAdmin } from './namespace.ts';
import { ok } from './replies.ts';

/** mongosh asks for it when it connects. The arguments are not told: they can hold what is nobody's business. */
export const getCommandLineOptions: Command = {
  name: 'getCmdLineOpts',
  fields: ['getCmdLineOpts'],
  run(request) {
    assertAdmin(request);
    return ok({ argv: ['embedded-mongodb'], parsed: documentOf({}) });
  },
};
