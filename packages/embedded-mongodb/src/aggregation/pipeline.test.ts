import { expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import type { Document } from '../bson/document.ts';
import { parsePipeline, runPipeline } from './pipeline.ts';

const CONTEXT = { now: new Date(0) };
const parse = (stages: Shorthand) => parsePipeline(value(stages), CONTEXT);

/** Counts the documents that are read. */
function endless() {
  const source = {
    read: 0,
    *documents() {
      for (;;) yield doc({ n: ++source.read });
    },
  };
  return source;
}

// conformance/tables/stages.ts covers the documented results.
it('a pipeline reads no more documents than $limit passes on', () => {
  const source = endless();
  const stages = parse([{ $match: {} }, { $set: { a: 1 } }, { $limit: 2 }]);
  expect([...runPipeline(stages, source.documents())]).toHaveLength(2);
  expect(source.read).toBe(2);
});

it('a pipeline is rejected before it reads a document', () => {
  expect(codeOf(() => parse([{ $set: { a: { $foo: 1 } } }]))).toBe(168);
  expect(codeOf(() => parse([{ $limit: 0 }]))).toBe(15958);
  expect(codeOf(() => parse({ $match: {} }))).toBe(14);
});

it('a pipeline has at most 1,000 stages', () => {
  const stagesOf = (length: number) => Array.from({ length }, () => ({ $match: {} }));
  expect(parse(stagesOf(1000))).toHaveLength(1000);
  expect(codeOf(() => parse(stagesOf(1001)))).toBe(7749501);
});

it('a pipeline does not change its input documents', () => {
  const input = [doc({ a: [{ b: 1 }], c: { d: [1, 2] } })];
  const before = structuredClone(input);
  const stages = [
    { $set: { b: 2 } },
    { $unwind: '$c.d' },
    { $replaceWith: { $mergeObjects: ['$$ROOT', { z: 1 }] } },
  ];
  const results: Document[] = [...runPipeline(parse(stages), input)];
  expect(results).toHaveLength(2);
  expect(input).toEqual(before);
});

it('a pipeline evaluates $$NOW to the time of the command in every stage', () => {
  const stages = parse([
    { $project: { at: '$$NOW' } },
    { $group: { _id: '$at', first: { $first: '$$NOW' } } },
  ]);
  expect([...runPipeline(stages, [doc({})])]).toEqual([doc({ _id: new Date(0), first: new Date(0) })]);
});

it('a pipeline samples every document with the same probability', () => {
  const counts = new Map<number, number>();
  const documents = Array.from({ length: 5 }, (_, id) => doc({ id }));
  const stages = parse([{ $sample: { size: 2 } }]);
  for (let round = 0; round < 2000; round++) {
    for (const document of runPipeline(stages, documents)) {
      const id = Number(document.get('id'));
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  // The expected count of each is 800. The limits are eight standard deviations away.
  for (const count of counts.values()) expect(Math.abs(count - 800)).toBeLessThan(180);
});
