import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { askedParameters, PARAMETERS } from './get-parameter.ts';
import { assertAdmin } from './namespace.ts';

/** Nothing can be set while the server runs: what would be is refused rather than ignored. */
export const setParameter: Command = {
  name: 'setParameter',
  run(request) {
    assertAdmin(request);
    const asked = askedParameters(request);
    if (asked.length === 0)
      throw mongoError('InvalidOptions', 'no option found to set, use help:true to see options');
    const unknown = asked.find((name) => !Object.hasOwn(PARAMETERS, name));
    if (unknown !== undefined) {
      throw mongoError(
        'InvalidOptions',
        `attempted to set unrecognized parameter [${unknown}], use help:true to see options`,
      );
    }
    throw notImplemented(`setting the parameter '${asked[0]}'`);
  },
};
