import { BSON } from 'mongodb';
import { rejected, type Tables } from '../support/tables.ts';
import { decimal, double, long } from '../support/values.ts';

const { Binary, BSONRegExp, MaxKey, MinKey, ObjectId, Timestamp } = BSON;

export const VALUE: Tables<unknown> = {
  $type: {
    title: 'names the type of a value',
    cases: [
      [{ $type: '$n' }, 'int'],
      [{ $type: long(1) }, 'long'],
      [{ $type: 2.5 }, 'double'],
      [{ $type: decimal('1') }, 'decimal'],
      [{ $type: '$s' }, 'string'],
      [{ $type: '$sub' }, 'object'],
      [{ $type: '$list' }, 'array'],
      [{ $type: [[1]] }, 'array'],
      [{ $type: new Binary(Buffer.from('a')) }, 'binData'],
      [{ $type: new ObjectId() }, 'objectId'],
      [{ $type: true }, 'bool'],
      [{ $type: '$at' }, 'date'],
      [{ $type: null }, 'null'],
      [{ $type: new BSONRegExp('a') }, 'regex'],
      [{ $type: new Timestamp({ t: 1, i: 1 }) }, 'timestamp'],
      [{ $type: new MinKey() }, 'minKey'],
      [{ $type: new MaxKey() }, 'maxKey'],
      [{ $type: '$missing' }, 'missing'],
      [{ $type: '$$NOW' }, 'date'],
      [{ $type: [1, 2] }, rejected(16020)],
    ],
  },
  $mergeObjects: {
    title: 'merges documents, the last value of a field in the place of the first',
    cases: [
      [{ $mergeObjects: ['$sub', { x: 2, z: 3 }] }, { x: 2, y: null, z: 3 }],
      [{ $mergeObjects: [] }, {}],
      [{ $mergeObjects: '$sub' }, { x: 1, y: null }],
      [{ $mergeObjects: '$docs' }, { k: 'b', v: 2 }],
      [{ $mergeObjects: [null, { a: 1 }, '$missing'] }, { a: 1 }],
      [{ $mergeObjects: '$missing' }, {}],
      [{ $mergeObjects: [{ a: 1 }, '$n'] }, rejected(40400)],
      [{ $mergeObjects: '$list' }, rejected(40400)],
    ],
  },
  $objectToArray: {
    title: 'lists the fields of a document',
    cases: [
      [
        { $objectToArray: { a: 1, b: '$n' } },
        [
          { k: 'a', v: 1 },
          { k: 'b', v: 5 },
        ],
      ],
      [{ $objectToArray: {} }, []],
      [{ $objectToArray: null }, null],
      [{ $objectToArray: '$missing' }, null],
      [{ $objectToArray: '$list' }, rejected(40390)],
    ],
  },
  $toDouble: {
    title: 'converts integers and doubles',
    cases: [
      [{ $toDouble: 5 }, double(5)],
      [{ $toDouble: long('9007199254740993') }, double(2 ** 53)],
      [{ $toDouble: 2.5 }, 2.5],
      [{ $toDouble: null }, null],
      [{ $toDouble: '$missing' }, null],
    ],
  },
};
