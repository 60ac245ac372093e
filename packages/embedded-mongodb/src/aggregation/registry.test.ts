import { expect, it } from 'vitest';
import { ACCUMULATOR_TABLES } from '../../conformance/tables/accumulators.ts';
import { EXPRESSION_TABLES } from '../../conformance/tables/expressions.ts';
import { STAGE_TABLES } from '../../conformance/tables/stages.ts';
import { type Shorthand, value } from '../../test/shorthand.ts';
import { ACCUMULATORS } from './accumulators.ts';
import { compileExpression } from './expression.ts';
import { OPERATORS } from './operators.ts';
import {
  OUT_OF_SCOPE_ACCUMULATORS,
  OUT_OF_SCOPE_OPERATORS,
  OUT_OF_SCOPE_STAGES,
  OUT_OF_SCOPE_VARIABLES,
} from './out-of-scope.ts';
import { parsePipeline, STAGES } from './pipeline.ts';

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

const parse = (stage: Shorthand) => parsePipeline(value([stage]), { now: new Date() });
const NOT_IMPLEMENTED = expect.objectContaining({
  code: 238,
  message: expect.stringContaining('is outside the scope of embedded-mongodb'),
});

it.each([...OUT_OF_SCOPE_OPERATORS])(
  'a pipeline with a feature out of scope is rejected for the expression %s',
  (name) => {
    expect(() => compileExpression(value({ [name]: {} }))).toThrow(NOT_IMPLEMENTED);
  },
);

it.each([...OUT_OF_SCOPE_VARIABLES])(
  'a pipeline with a feature out of scope is rejected for the variable $$%s',
  (name) => {
    expect(() => compileExpression(`$$${name}`)).toThrow(NOT_IMPLEMENTED);
  },
);

it.each([...OUT_OF_SCOPE_ACCUMULATORS])(
  'a pipeline with a feature out of scope is rejected for the accumulator %s',
  (name) => {
    expect(() => parse({ $group: { _id: null, x: { [name]: {} } } })).toThrow(NOT_IMPLEMENTED);
  },
);

it.each([...OUT_OF_SCOPE_STAGES])(
  'a pipeline with a feature out of scope is rejected for the stage %s',
  (name) => {
    expect(() => parse({ [name]: {} })).toThrow(NOT_IMPLEMENTED);
  },
);
