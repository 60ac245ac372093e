import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { documentOf, double, int32 } from '../src/bson/document.ts';
import { MAX_WRITE_BATCH_SIZE } from '../src/wire/limits.ts';
import { openInProcessServer, type Reply } from './differential/in-process-server.ts';
import { doc, type Shorthand } from './shorthand.ts';
import { temporaryFolder } from './support/server-under-test.ts';

/** More than the server computes between four reads of its clock. */
const MANY = 5000;
const MAX_TIME_MS_EXPIRED = 50;
const MEGABYTE = 1024 * 1024;

const server = openInProcessServer(join(temporaryFolder(), 'data.db'));
afterAll(() => server.close());

const runCommand = (command: { [name: string]: Shorthand }) => server.run(doc(command));
const errorCode = (reply: Reply) => (reply.kind === 'rejected' ? reply.codes[0] : undefined);

/** Runs a command with a clock that advances by a second whenever it is read. */
function run(command: { [name: string]: Shorthand }) {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  try {
    return runCommand(command);
  } finally {
    clock.mockRestore();
  }
}

describe('maxTimeMS', () => {
  beforeEach(() => {
    run({ drop: 'things' });
    const documents = Array.from({ length: MANY }, (_, n) => ({ _id: n, n, group: n % 10 }));
    for (let at = 0; at < MANY; at += MAX_WRITE_BATCH_SIZE)
      run({ insert: 'things', documents: documents.slice(at, at + MAX_WRITE_BATCH_SIZE) });
    run({ drop: 'lists' });
    run({ insert: 'lists', documents: [{ _id: 1, list: documents.map(({ n }) => n) }] });
  });

  test.each<[string, { [name: string]: Shorthand }]>([
    ['a long scan', { find: 'things', filter: { missing: 1 } }],
    ['a long scan of an index', { find: 'things', filter: { _id: { $gte: 0 }, missing: 1 } }],
    ['a long sort', { find: 'things', sort: { group: 1 } }],
    ['a long comparison with one document', { find: 'lists', filter: { list: { $in: [-1, -2, -3] } } }],
    ['a long count', { count: 'things', query: { n: { $gte: 0 } } }],
    ['a long distinct', { distinct: 'things', key: 'group' }],
    [
      'a long pipeline',
      { aggregate: 'things', pipeline: [{ $group: { _id: '$group', n: { $sum: '$n' } } }], cursor: {} },
    ],
    ['a long explain', { explain: { find: 'things', filter: { missing: 1 } } }],
    ['a long update', { update: 'things', updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }] }],
    ['a long delete', { delete: 'things', deletes: [{ q: {}, limit: 0 }] }],
    ['a long findAndModify', { findAndModify: 'things', query: { missing: 1 }, remove: true }],
  ])('maxTimeMS ends %s with MaxTimeMSExpired (50)', (_, command) => {
    expect(errorCode(run({ ...command, maxTimeMS: 2500 }))).toBe(MAX_TIME_MS_EXPIRED);
    expect(errorCode(run({ ...command, maxTimeMS: 0 }))).toBeUndefined();
    expect(errorCode(run(command))).toBeUndefined();
  });

  test('maxTimeMS ends an ordered or unordered batch of writes and keeps the earlier writes', () => {
    const updates = [
      { q: { _id: 1 }, u: { $set: { n: -1 } } },
      { q: { missing: 1 }, u: { $set: { n: -1 } } },
      { q: { _id: 2 }, u: { $set: { n: -1 } } },
    ];
    const reply = run({ update: 'things', updates, ordered: false, maxTimeMS: 2500 });
    expect(errorCode(reply)).toBe(MAX_TIME_MS_EXPIRED);
    expect(run({ count: 'things', query: { n: -1 } })).toMatchObject({
      fields: documentOf({ n: int32(1), ok: double(1) }),
    });
  });
});

describe('results', () => {
  beforeAll(() => {
    for (let n = 0; n < 105; n++) {
      const text = `${n} ${'x'.repeat(MEGABYTE)}`;
      runCommand({ insert: 'large', documents: [{ _id: n, n, text }] });
    }
  });

  test.each<[string, { [name: string]: Shorthand }, number]>([
    ['a sort in memory of more than 100 MB', { find: 'large', sort: { text: 1 } }, 292],
    [
      'a document of a pipeline above 16 MiB',
      {
        aggregate: 'large',
        pipeline: Array.from({ length: 5 }, () => ({ $replaceWith: { a: '$$ROOT', b: '$$ROOT' } })),
        cursor: {},
      },
      10334,
    ],
    ['distinct values above 16 MiB', { distinct: 'large', key: 'text' }, 17217],
  ])('%s is rejected', (_, command, code) => {
    expect(errorCode(runCommand(command))).toBe(code);
  });

  test('an in-memory sort with a limit stays within the memory limit', () => {
    const { documents } = runCommand({ find: 'large', sort: { n: -1, text: 1 }, limit: 2 }) as {
      documents: unknown[];
    };
    expect(documents).toHaveLength(2);
  });
});
