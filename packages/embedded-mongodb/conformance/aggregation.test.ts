import type { Document } from 'mongodb';
import { describe, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { expectOutcomes, MISSING } from './support/tables.ts';
import { ACCUMULATOR_SYNTAX, ACCUMULATOR_TABLES, type Accumulated } from './tables/accumulators.ts';
import { EXPRESSION_TABLES, REFERENCES } from './tables/expressions.ts';
import { PIPELINE_SYNTAX, STAGE_TABLES, type Staged } from './tables/stages.ts';

const ground = prepareGround('aggregation');

async function runPipeline({ documents, pipeline }: Staged): Promise<Document[]> {
  await ground.things.deleteMany({});
  if (documents.length > 0) await ground.things.insertMany(documents.map((document) => ({ ...document })));
  return await ground.things.aggregate(pipeline as Document[]).toArray();
}

async function accumulate(given: Accumulated, accumulator: string): Promise<unknown> {
  const documents = 'of' in given ? given.of : [{ v: 1 }];
  const specification = 'of' in given ? { [accumulator]: '$list.v' } : given.specification;
  const [group] = await runPipeline({
    documents: [{ list: documents }],
    pipeline: [{ $unwind: '$list' }, { $group: { _id: null, result: specification } }],
  });
  return group?.['result'];
}

describe.each(Object.entries(STAGE_TABLES))('%s', (_name, table) => {
  test(table.title, async () => {
    await expectOutcomes(table, runPipeline);
  });
});

describe.each(Object.entries(ACCUMULATOR_TABLES))('%s of $group', (name, table) => {
  test(table.title, async () => {
    await expectOutcomes(table, (given) => accumulate(given, name));
  });
});

test('$group rejects a field that is not a single accumulator of a single value', async () => {
  await expectOutcomes(ACCUMULATOR_SYNTAX, (given) => accumulate(given, ''));
});

test('aggregate rejects a pipeline that is not an array of single stages', async () => {
  await expectOutcomes(PIPELINE_SYNTAX, runPipeline);
});

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

async function evaluate(expression: unknown): Promise<unknown> {
  const pipeline = [{ $replaceWith: { value: expression } }];
  const [result = {}] = await runPipeline({ documents: [DOCUMENT], pipeline });
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
