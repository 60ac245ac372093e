import type { Command } from './command.ts';
import { missingField } from './fields.ts';
import { assertAdmin } from './namespace.ts';
import { ok } from './replies.ts';

/** As mongod it says the same whether there is such an operation or, as always here, not: see currentOp. */
export const killOp: Command = {
  name: 'killOp',
  fields: ['killOp', 'op'],
  run(request) {
    assertAdmin(request);
    if (!request.body.has('op')) throw missingField(request, 'op');
    return ok({ info: 'attempting to kill op' });
  },
};
