import type { Command } from './command.ts';
import { assertAdmin } from './namespace.ts';
import { ok } from './replies.ts';

/** Commands run one after the other: while this one does, no other is in progress. */
export const currentOp: Command = {
  name: 'currentOp',
  run(request) {
    assertAdmin(request);
    return ok({ inprog: [] });
  },
};
