import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import type { CommandRequest } from './command.ts';

/** Rejects a command that does not conform to the version of the stable API that the client declares. */
export function assertApiVersion({ body }: CommandRequest): void {
  const version = body.get('apiVersion') ?? undefined;
  if (version === undefined && (body.has('apiStrict') || body.has('apiDeprecationErrors'))) {
    throw mongoError(
      'InvalidOptions',
      'Provided apiStrict and/or apiDeprecationErrors without passing apiVersion',
    );
  }
  if (version !== undefined && version !== '1')
    throw mongoError('APIVersionError', 'API version must be "1"');
  if (body.get('apiStrict') === true) throw outOfScope("the option 'apiStrict: true'");
}
