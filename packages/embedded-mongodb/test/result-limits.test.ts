import { beforeAll, expect, test } from 'vitest';
import type { Shorthand } from './shorthand.ts';
import { errorCode, startInProcess } from './support/in-process.ts';

const MEGABYTE = 1024 * 1024;

const run = startInProcess();

beforeAll(() => {
  for (let n = 0; n < 105; n++) {
    const text = `${n} ${'x'.repeat(MEGABYTE)}`;
    run({ insert: 'large', documents: [{ _id: n, n, text }] });
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
  expect(errorCode(run(command))).toBe(code);
});

test('an in-memory sort with a limit stays within the memory limit', () => {
  expect(run({ find: 'large', sort: { n: -1, text: 1 }, limit: 2 })).toMatchObject({
    documents: { length: 2 },
  });
});
