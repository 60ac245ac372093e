import { Double, Long } from '../../src/bson/document.ts';
import { doc, type Shorthand } from '../shorthand.ts';
import { COLLECTION } from './commands.ts';
import type { Reproduction } from './trial.ts';

type Fields = Record<string, Shorthand>;

function finding(command: Fields, documents: Fields[] = [], indexes: Fields[] = []): Reproduction {
  return { command: doc(command), documents: documents.map(doc), indexes: indexes.map(doc) };
}

const find = (fields: Fields): Fields => ({ find: COLLECTION, ...fields });
const aggregate = (...pipeline: Fields[]): Fields => ({ aggregate: COLLECTION, pipeline, cursor: {} });
const update = (u: Shorthand, options: Fields = {}): Fields => ({
  update: COLLECTION,
  updates: [{ q: {}, u, ...options }],
});

/** Commands whose results once differed from MongoDB's, by the guarantee that they verify now. */
export const FINDINGS: Readonly<Record<string, Reproduction>> = {
  '$inc by nothing leaves a negative zero': finding(update({ $inc: { a: Long.ZERO } }), [
    { _id: 1, a: new Double(-0) },
  ]),
  'an upsert takes the value of an $in whose values are all equal': finding({
    update: COLLECTION,
    updates: [{ q: { a: { $in: [1, new Double(1)] } }, u: { $set: { b: 2 } }, upsert: true }],
  }),
  'an array that a position selects from an array sorts as a whole': finding(find({ sort: { 'a.0': 1 } }), [
    { _id: 1, a: [[2, 1]] },
    { _id: 2, a: [[1, 3]] },
  ]),
  'a field that has a position for its name cannot be indexed beside that position': finding(
    { insert: COLLECTION, documents: [{ _id: 1, a: [5, { '0': 1 }] }] },
    [],
    [{ key: { 'a.0': 1 }, name: 'a' }],
  ),
  'a position in an array that is indexed with another array is a parallel array': finding(
    { insert: COLLECTION, documents: [{ _id: 1, a: [1], b: [1] }] },
    [],
    [{ key: { 'a.0': 1, b: 1 }, name: 'ab' }],
  ),
  '$size is limited to what an int can hold': finding(
    find({ filter: { a: { $size: Long.fromString('2147483648') } } }),
  ),
  '$limit and $skip take any count that a long can hold': finding(
    aggregate({ $skip: 0 }, { $limit: Long.MAX_VALUE }, { $skip: Long.MAX_VALUE }),
    [{ _id: 1 }],
  ),
  'a pipeline that sets two fields to one array makes parallel arrays': finding(
    update([{ $set: { b: '$a' } }]),
    [{ _id: 1, a: [1] }],
    [{ key: { a: 1, b: 1 }, name: 'ab' }],
  ),
};
