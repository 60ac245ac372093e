/** The interface of BSON to the rest of the server: typed documents and their bytes. */
export {
  Binary,
  BSONRegExp,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
export { decode, decodeOutline, decodeRequest } from './decode.ts';
export { encode } from './encode.ts';
export * from './value.ts';
