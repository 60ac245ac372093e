import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../../test/shorthand.ts';
import { type Document, documentOf, long } from '../../bson/document.ts';
import { matches, parseFilter } from '../../semantics/filter.ts';
import { type PipelineContext, parsePipeline, runPipeline } from '../pipeline.ts';

const PEOPLE = [
  { _id: 1, name: 'Ada', boss: 'Bob' },
  { _id: 2, name: 'Bob', boss: 'Cyd' },
  { _id: 3, name: 'Cyd', boss: 'Ada' }, // a circle
  { _id: 4, name: 'Dan', boss: ['Ada', 'Eve'] },
  { _id: 5, name: 'Eve' },
].map(doc);

const CONTEXT: PipelineContext = {
  now: new Date(0),
  variables: new Map(),
  find: (_collection, filter) => {
    const node = parseFilter(filter);
    return PEOPLE.filter((document) => matches(node, document));
  },
};

function run(options: { [name: string]: Shorthand }, start: Document = doc({ start: 'Dan' })): Document[] {
  const operand = {
    from: 'people',
    startWith: '$start',
    connectFromField: 'boss',
    connectToField: 'name',
    as: 'chain',
    ...options,
  };
  return [...runPipeline(parsePipeline(value([{ $graphLookup: operand }]), CONTEXT), [start])];
}

const chainOf = ([document]: Document[]) => document?.get('chain') as Document[];
const namesIn = (result: Document[]) =>
  chainOf(result)
    .map((person) => person.get('name'))
    .sort();

describe('$graphLookup', () => {
  it('follows references, through arrays and circles, each document once', () => {
    expect(namesIn(run({}))).toEqual(['Ada', 'Bob', 'Cyd', 'Dan', 'Eve']);
  });

  it('goes as deep as it is told, and tells how deep', () => {
    const result = run({ maxDepth: 1, depthField: 'depth' });
    expect(namesIn(result)).toEqual(['Ada', 'Dan', 'Eve']);
    expect(chainOf(result)[0]?.get('depth')).toEqual(long(0));
    expect(chainOf(result)[1]?.get('depth')).toEqual(long(1));
  });

  it('keeps to the documents that match', () => {
    expect(namesIn(run({ restrictSearchWithMatch: { name: { $ne: 'Bob' } } }))).toEqual([
      'Ada',
      'Dan',
      'Eve',
    ]);
  });

  it('finds nothing from a missing field', () => {
    expect(run({}, doc({}))).toEqual([documentOf({ chain: [] })]);
  });

  it.each<[{ [name: string]: Shorthand }, number]>([
    [{ frobnicate: 1 }, 40104],
    [{ from: 5 }, 40103],
    [{ maxDepth: 'x' }, 40100],
    [{ maxDepth: -1 }, 40101],
    [{ restrictSearchWithMatch: 5 }, 40185],
  ])('%j is refused with %i', (options, code) => {
    expect(codeOf(() => run(options))).toBe(code);
  });
});
