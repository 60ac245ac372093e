import { type BsonValue, documentOf } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

/** The parameters that clients are known to ask for. */
const PARAMETERS: Readonly<Record<string, BsonValue>> = {
  featureCompatibilityVersion: documentOf({ version: '7.0' }),
  authenticationMechanisms: ['SCRAM-SHA-256'],
};

const FIELDS_THAT_ARE_NO_PARAMETER = new Set([
  'getParameter',
  'comment',
  'lsid',
  '$db',
  '$readPreference',
  'maxTimeMS',
]);

export const getParameter: Command = {
  name: 'getParameter',
  run({ body }) {
    if (body.get('getParameter') === '*') return ok(PARAMETERS);
    const asked = [...body.keys()].filter((name) => !FIELDS_THAT_ARE_NO_PARAMETER.has(name));
    const known = asked.filter((name) => Object.hasOwn(PARAMETERS, name));
    if (known.length === 0) throw mongoError('InvalidOptions', 'no option found to get');
    return ok(Object.fromEntries(known.map((name) => [name, PARAMETERS[name] as BsonValue])));
  },
};
