import { expect, test } from 'vitest';
import { mongoError } from '../src/bson/mongo-error.ts';
import { asMongoError } from '../src/commands/replies.ts';

test.each<[string, unknown, number]>([
  ['an error of MongoDB', mongoError('BadValue', 'x'), 2],
  ['a stack overflow', new RangeError('Maximum call stack size exceeded'), 15],
  ['a full disk', new Error('database or disk is full'), 14031],
  ['a quota', Object.assign(new Error('disk I/O error'), { errcode: 778 }), 14031],
  ['a corrupted page', new Error('database disk image is malformed'), 301],
  ['an overwritten file', new Error('file is not a database'), 301],
  ['another error', new TypeError('x is not a function'), 1],
  ['a thrown value', 'x', 1],
])('%s is reported with code %3$i', (_, error, code) => {
  expect(asMongoError(error).code).toBe(code);
});
