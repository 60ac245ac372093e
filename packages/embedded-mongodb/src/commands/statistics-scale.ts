import { type BsonValue, integer } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { CommandRequest } from './command.ts';
import { numberOf } from './fields.ts';

/** What the sizes of a statistics command are divided by: its `scale`, 1 unless told. */
export function readScale(request: CommandRequest): {
  factor: number;
  scaled: (bytes: number) => BsonValue;
} {
  const given = request.body.get('scale') ?? undefined;
  const factor = given === undefined ? 1 : Math.trunc(numberOf(given) ?? Number.NaN);
  if (Number.isNaN(factor)) {
    throw mongoError(
      'TypeMismatch',
      `BSON field '${request.name}.scale' is the wrong type, expected a number`,
    );
  }
  if (factor < 1) {
    throw mongoError(51024, `BSON field 'scale' value must be >= 1, actual value '${factor}'`);
  }
  return { factor, scaled: (bytes) => integer(Math.floor(bytes / factor)) };
}
