import { integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { assertAdmin } from './namespace.ts';
import { ok } from './replies.ts';

const LOGS = ['global', 'startupWarnings'];

/** mongosh reads the startup warnings with this command. The logs are empty: the server logs only to standard output. */
export const getLog: Command = {
  name: 'getLog',
  fields: {},
  run(request) {
    assertAdmin(request);
    const log = request.body.get('getLog');
    if (typeof log !== 'string')
      throw mongoError('TypeMismatch', 'Argument to getLog must be of type String');
    if (log === '*') return ok({ names: LOGS });
    if (!LOGS.includes(log)) throw mongoError('OperationFailed', `no RecentEntriesLog named: ${log}`);
    return ok({ totalLinesWritten: integer(0), log: [] });
  },
};
