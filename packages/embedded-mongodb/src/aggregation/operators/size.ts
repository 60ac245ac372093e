import { Binary, Int32, Long, Timestamp } from 'bson';
import { encode, isDocument, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { isNullish, type Operators, onArguments } from '../operator.ts';

/** Sizes in bytes, and the parts of a timestamp. */
export const SIZE_OPERATORS: Operators = {
  $bsonSize: onArguments(1, ([value]) => {
    if (isNullish(value)) return null;
    if (!isDocument(value))
      throw mongoError(31393, `$bsonSize requires a document input, found: ${typeName(value)}`);
    return new Int32(encode(value).length);
  }),
  $binarySize: onArguments(1, ([value]) => {
    if (isNullish(value)) return null;
    if (typeof value === 'string') return new Int32(Buffer.byteLength(value));
    if (value instanceof Binary) return new Int32(value.position);
    throw mongoError(51276, `$binarySize requires a string or BinData argument, found: ${typeName(value)}`);
  }),
  $tsSecond: onArguments(1, ([value], name) => {
    if (isNullish(value)) return null;
    if (!(value instanceof Timestamp))
      throw mongoError(5687301, `${name} requires a timestamp argument, found: ${typeName(value)}`);
    return Long.fromNumber(value.t);
  }),
  $tsIncrement: onArguments(1, ([value], name) => {
    if (isNullish(value)) return null;
    if (!(value instanceof Timestamp))
      throw mongoError(5687302, `${name} requires a timestamp argument, found: ${typeName(value)}`);
    return Long.fromNumber(value.i);
  }),
};
