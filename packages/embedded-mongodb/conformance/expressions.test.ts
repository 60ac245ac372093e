import type { Document } from 'mongodb';
import { beforeEach, describe, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { expectOutcomes, MISSING } from './support/tables.ts';
import { EXPRESSION_TABLES } from './tables/expressions.ts';
import { REFERENCES } from './tables/references.ts';

const ground = prepareGround('expressions');

const DOCUMENT: Document = {
  _id: 1,
  n: 5,
  zero: 0,
  s: 'Hello',
  list: [3, 1, 2],
  docs: [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ],
  mixed: [{ v: 1 }, 5, {}, [{ v: 9 }], { v: 2 }],
  nested: [[{ v: 9 }], { v: 3 }],
  sub: { x: 1, y: null },
  at: new Date('2024-03-15T10:20:30.456Z'),
  nothing: null,
};

beforeEach(async () => {
  await ground.things.insertOne({ ...DOCUMENT });
});

async function evaluate(expression: unknown): Promise<unknown> {
  const [result = {}] = await ground.things.aggregate([{ $replaceWith: { value: expression } }]).toArray();
  return 'value' in result ? result['value'] : MISSING;
}

test('an expression evaluates fields, variables, documents, and arrays', async () => {
  await expectOutcomes(REFERENCES, evaluate);
});

describe.each(Object.entries(EXPRESSION_TABLES))('%s', (_name, table) => {
  test(table.title, async () => {
    await expectOutcomes(table, evaluate);
  });
});
