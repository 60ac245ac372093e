import { expect, it } from 'vitest';
import { ACCUMULATOR_TABLES } from '../../conformance/tables/accumulators.ts';
import { EXPRESSION_TABLES } from '../../conformance/tables/expressions.ts';
import { STAGE_TABLES } from '../../conformance/tables/stages.ts';
import { ACCUMULATORS } from './accumulators.ts';
import { OPERATORS } from './operators.ts';
import { STAGES } from './pipeline.ts';

const sorted = (names: Iterable<string>) => [...names].sort();

/** These stages need a server. test/tools.test.ts covers them. */
const STAGES_FOR_TOOLS = ['$collStats', '$currentOp', '$indexStats'];

it('the set of conformance tables covers every expression operator in scope', () => {
  expect(sorted(Object.keys(EXPRESSION_TABLES))).toEqual(sorted(Object.keys(OPERATORS)));
});

it('the set of conformance tables covers every accumulator in scope', () => {
  expect(sorted(Object.keys(ACCUMULATOR_TABLES))).toEqual(sorted(Object.keys(ACCUMULATORS)));
});

it('the set of conformance tables covers every stage in scope', () => {
  expect(sorted([...Object.keys(STAGE_TABLES), ...STAGES_FOR_TOOLS])).toEqual(sorted(Object.keys(STAGES)));
});
