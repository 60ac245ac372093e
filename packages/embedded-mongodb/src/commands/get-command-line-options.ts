import { documentOf } from '../bson/document.ts';
import type { Command } from './command.ts';
import { assertAdmin } from './namespace.ts';
import { ok } from './replies.ts';

/** mongosh sends this command when it connects. The reply omits the arguments, which can contain secrets. */
export const getCommandLineOptions: Command = {
  name: 'getCmdLineOpts',
  fields: {},
  run(request) {
    assertAdmin(request);
    return ok({ argv: ['embedded-mongodb'], parsed: documentOf({}) });
  },
};
