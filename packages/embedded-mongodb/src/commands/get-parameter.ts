import { type BsonValue, documentOf, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { isGenericField } from './generic-fields.ts';
import { assertAdmin } from './namespace.ts';
import { ok } from './replies.ts';

/** The parameters that clients read, with this server's values. */
const PARAMETERS: Readonly<Record<string, BsonValue>> = {
  authenticationMechanisms: ['SCRAM-SHA-256'],
  cursorTimeoutMillis: integer(600_000),
  enableTestCommands: false,
  featureCompatibilityVersion: documentOf({ version: '7.0' }),
  internalQueryMaxBlockingSortMemoryUsageBytes: integer(104_857_600),
  localLogicalSessionTimeoutMinutes: integer(30),
  logLevel: integer(0),
  maxBSONDepth: integer(200),
  notablescan: false,
  quiet: false,
  scramSHA256IterationCount: integer(15_000),
  ttlMonitorEnabled: true,
  ttlMonitorSleepSecs: integer(30),
};

const OPTIONS = ['getParameter', 'allParameters'];

export const getParameter: Command = {
  name: 'getParameter',
  run(request) {
    assertAdmin(request);
    const value = request.body.get('getParameter');
    const details = value instanceof Map && value.get('showDetails') === true;
    const wantsAll = value === '*' || (value instanceof Map && value.get('allParameters') === true);
    const isParameter = (name: string) => !OPTIONS.includes(name) && !isGenericField(name);
    const asked = wantsAll ? Object.keys(PARAMETERS) : [...request.body.keys()].filter(isParameter);
    const known = asked.filter((name) => Object.hasOwn(PARAMETERS, name));
    if (known.length === 0) throw mongoError('InvalidOptions', 'no option found to get');
    return ok(
      Object.fromEntries(
        known.map((name) => {
          const parameter = PARAMETERS[name] as BsonValue;
          if (!details) return [name, parameter];
          return [name, documentOf({ value: parameter, settableAtRuntime: false, settableAtStartup: false })];
        }),
      ),
    );
  },
};
