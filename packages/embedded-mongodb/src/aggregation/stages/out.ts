import { type BsonValue, isDocument, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { type Namespace, type ParseStage, writesOf } from '../stage.ts';

/** Puts the documents into a collection in the place of what is there. On an error that stays as it is. */
export const parseOut: ParseStage = (operand, context) => {
  const target = parseTarget(operand);
  const writes = writesOf(context, '$out');
  // biome-ignore lint/correctness/useYield: what is written is not given to the client
  return function* out(input) {
    writes.replaceCollection(target, input);
  };
};

function parseTarget(operand: BsonValue): Namespace {
  if (typeof operand === 'string') return { databaseName: undefined, collectionName: operand };
  if (!isDocument(operand)) {
    throw mongoError(16990, `$out only supports a string or object argument, but found ${typeName(operand)}`);
  }
  for (const name of operand.keys()) {
    if (name === 'timeseries') throw notImplemented('$out to a time-series collection');
    if (name !== 'db' && name !== 'coll')
      throw mongoError(40415, `BSON field '$out.${name}' is an unknown field.`);
  }
  return { databaseName: textField(operand, 'db'), collectionName: textField(operand, 'coll') };
}

function textField(operand: ReadonlyMap<string, BsonValue>, name: string): string {
  const value = operand.get(name);
  if (value === undefined)
    throw mongoError(40414, `BSON field '$out.${name}' is missing but a required field`);
  if (typeof value === 'string') return value;
  throw mongoError(
    'TypeMismatch',
    `BSON field '$out.${name}' is the wrong type '${typeName(value)}', expected type 'string'`,
  );
}
