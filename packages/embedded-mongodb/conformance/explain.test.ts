import type { Document } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';

const ground = prepareGround('explain');

beforeEach(async () => {
  await ground.things.insertMany(
    Array.from({ length: 100 }, (_, n) => ({ _id: n, a: n, b: n % 10, c: n })) as Document[],
  );
  await ground.things.createIndex({ a: 1 });
  await ground.things.createIndex({ b: 1, c: -1 });
});

/** All stages of a plan, outermost first. */
function stagesOf(stage: Document | undefined): Document[] {
  if (stage === undefined) return [];
  // Newer servers wrap plans of the slot-based engine in `queryPlan`.
  const plan: Document = stage.queryPlan ?? stage;
  const inner: Document[] = plan.inputStages ?? (plan.inputStage === undefined ? [] : [plan.inputStage]);
  return [plan, ...inner.flatMap(stagesOf)];
}

const plannerOf = (reply: Document): Document => reply.queryPlanner ?? reply.stages[0].$cursor.queryPlanner;

const explain = (command: Document, verbosity = 'executionStats') =>
  ground.command({ explain: command, verbosity });

describe('queryPlanner names the stages', () => {
  test.each<[Document, string[], string?]>([
    [{ find: 'things', filter: { c: 1 } }, ['COLLSCAN']],
    [{ find: 'things', filter: { _id: 1 } }, ['IDHACK']],
    [{ find: 'things', filter: { a: 1 } }, ['FETCH', 'IXSCAN'], 'a_1'],
    [{ find: 'things', filter: { a: { $gt: 1 } } }, ['FETCH', 'IXSCAN'], 'a_1'],
    [{ find: 'things', filter: { b: 1, c: { $lt: 50 } } }, ['FETCH', 'IXSCAN'], 'b_1_c_-1'],
    [{ find: 'things', filter: {}, sort: { c: 1 } }, ['SORT', 'COLLSCAN']],
    [{ find: 'things', filter: { c: 1 }, limit: 5 }, ['LIMIT', 'COLLSCAN']],
    [{ find: 'things', filter: { a: { $gte: 0 } }, hint: '_id_' }, ['FETCH', 'IXSCAN'], '_id_'],
    [
      { find: 'things', filter: { a: 1 }, projection: { c: 1 } },
      ['PROJECTION_SIMPLE', 'FETCH', 'IXSCAN'],
      'a_1',
    ],
    [{ find: 'nothing', filter: { a: 1 } }, ['EOF']],
    [{ aggregate: 'things', pipeline: [{ $match: { a: 1 } }], cursor: {} }, ['FETCH', 'IXSCAN'], 'a_1'],
    [
      { find: 'things', filter: { $or: [{ a: 1 }, { b: 2 }] } },
      ['FETCH', 'OR', 'IXSCAN', 'IXSCAN'],
      'b_1_c_-1',
    ],
    [{ find: 'things', filter: { c: 1 }, skip: 1 }, ['SKIP', 'COLLSCAN']],
    [{ find: 'things', filter: { c: 1 }, projection: { 'b.c': 1 } }, ['PROJECTION_DEFAULT', 'COLLSCAN']],
  ])('%j', async (command, stages, index) => {
    const reply = await explain(command, 'queryPlanner');
    const found = stagesOf(plannerOf(reply).winningPlan);
    expect(found.map(({ stage }) => stage)).toEqual(stages);
    expect(found.at(-1)?.indexName).toBe(index);
    expect(reply).not.toHaveProperty('executionStats');
  });
});

describe('executionStats counts', () => {
  test.each<[Document, [returned: number, keys: number, documents: number]]>([
    [{ find: 'things', filter: { c: 1 } }, [1, 0, 100]],
    [{ find: 'things', filter: { _id: 1 } }, [1, 1, 1]],
    [{ find: 'things', filter: { a: { $gte: 10, $lt: 15 } } }, [5, 5, 5]],
    [{ find: 'things', filter: { a: 1, c: 2 } }, [0, 1, 1]],
    [{ find: 'things', filter: { c: { $lt: 10 } }, limit: 3 }, [3, 0, 3]],
    [{ find: 'nothing' }, [0, 0, 0]],
    [{ count: 'things', query: { a: { $lt: 7 } } }, [7, 7, 7]],
    [{ distinct: 'things', key: 'b', query: { a: { $lt: 7 } } }, [7, 7, 7]],
  ])('%j', async (command, [returned, keys, documents]) => {
    const { executionStats } = await explain(command);
    expect(executionStats.executionSuccess).toBe(true);
    expect(Number(executionStats.nReturned)).toBe(returned);
    expect(Number(executionStats.totalKeysExamined)).toBe(keys);
    expect(Number(executionStats.totalDocsExamined)).toBe(documents);
    expect(executionStats.executionStages).toHaveProperty('stage');
  });
});

test('an index scan names its index and its direction', async () => {
  const reply = await explain(
    { find: 'things', filter: { a: { $gte: 5, $lt: 7 } }, sort: { a: -1 } },
    'queryPlanner',
  );
  expect(stagesOf(plannerOf(reply).winningPlan).at(-1)).toMatchObject({
    direction: 'backward',
    isMultiKey: false,
    isUnique: false,
    isPartial: false,
  });
});
