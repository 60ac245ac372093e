import type { BsonValue, Document } from '../../src/bson/document.ts';
import { type Accumulator, parseAccumulator } from './accumulators.ts';
import { parseExpression } from './expressions.ts';
import { parseFilter } from './filter.ts';
import { isNumber, wholeNumber } from './numbers.ts';
import { isEqual, isIdentical, type Maybe } from './order.ts';
import { parseAddedFields, parseProjection, type Transform } from './projection.ts';
import { Rejected, rejectUnless, together, Undetermined } from './rejected.ts';
import { parseSort, sortDocuments } from './sort.ts';

/** The documents at a stage of a pipeline, and whether MongoDB determines their order. */
export interface Stream {
  documents: Document[];
  isOrdered: boolean;
}
type Stage = (stream: Stream) => Stream;

export function parsePipeline(pipeline: readonly BsonValue[]): Stage {
  const stages = together(pipeline.map((stage) => () => parseStage(stage)));
  return (input) =>
    stages.reduce((stream, stage, index) => run(stage, stream, pipeline.slice(index + 1)), input);
}

/** If a later stage drops documents, MongoDB may not compute the document that fails. */
function run(stage: Stage, stream: Stream, later: readonly BsonValue[]): Stream {
  try {
    return stage(stream);
  } catch (error) {
    const leavesOut = later.some((one) =>
      ['$match', '$limit', '$skip'].some((name) => (one as Document).has(name)),
    );
    if (error instanceof Rejected && leavesOut) throw new Undetermined('an error that may not come up');
    // Another document may fail first, at another stage.
    if (error instanceof Rejected && stream.documents.length > 1) throw new Rejected(error.message);
    throw error;
  }
}

const STAGES: Record<string, (operand: BsonValue) => Stage> = {
  $match: (operand) => {
    rejectUnless(operand instanceof Map, 'the match filter must be an expression in an object', 15959);
    const filter = parseFilter(operand);
    return onDocuments((documents) => documents.filter(filter));
  },
  $project: (operand) => each(parseProjection(asDocument(operand, 15969))),
  $addFields: (operand) => each(parseAddedFields(asDocument(operand, 40272))),
  $set: (operand) => each(parseAddedFields(asDocument(operand, 40272))),
  $replaceWith: (operand) => each(replacing(operand)),
  $sort: (operand) => parseSortStage(asDocument(operand, 15973)),
  $limit: (operand) => parseWindow(operand, 1n, (documents, count) => documents.slice(0, count)),
  $skip: (operand) => parseWindow(operand, 0n, (documents, count) => documents.slice(count)),
  $group: (operand) => parseGroup(asDocument(operand, 15947)),
  $unwind: parseUnwind,
};

function parseStage(stage: BsonValue): Stage {
  rejectUnless(stage instanceof Map && stage.size === 1, 'a stage must have exactly one field');
  const [[name, operand]] = [...stage] as [[string, BsonValue]];
  const parse = STAGES[name];
  if (parse === undefined) throw new Rejected(`Unrecognized pipeline stage name: '${name}'`, 40324);
  return parse(operand);
}

function asDocument(operand: BsonValue, code: number): Document {
  rejectUnless(operand instanceof Map, 'the stage takes an object', code);
  return operand;
}

const onDocuments =
  (change: (documents: Document[]) => Document[]): Stage =>
  ({ documents, isOrdered }) => ({ documents: change(documents), isOrdered });

const each = (transform: Transform): Stage => onDocuments((documents) => documents.map(transform));

function replacing(operand: BsonValue): Transform {
  const expression = parseExpression(operand);
  return (document) => {
    const root = expression(document);
    rejectUnless(root instanceof Map, "'newRoot' expression must evaluate to an object", 40228);
    return root;
  };
}

function parseSortStage(specification: Document): Stage {
  rejectUnless(specification.size > 0, '$sort stage must have at least one sort key', 15976);
  const sort = parseSort(specification);
  return ({ documents }) => {
    const { sorted, isTotal } = sortDocuments(documents, sort);
    return { documents: sorted, isOrdered: isTotal };
  };
}

function parseWindow(
  operand: BsonValue,
  least: bigint,
  cut: (documents: Document[], count: number) => Document[],
): Stage {
  const count = wholeNumber(operand);
  rejectUnless(
    count !== undefined && count >= least,
    'the argument must be a whole number that is not too small',
  );
  return ({ documents, isOrdered }) => {
    const rest = cut(documents, Number(count));
    if (rest.length !== documents.length && rest.length > 0 && !isOrdered) {
      throw new Undetermined('a part of documents without an order');
    }
    return { documents: rest, isOrdered };
  };
}

function parseGroup(specification: Document): Stage {
  const id = specification.get('_id');
  rejectUnless(id !== undefined, 'a group specification must include an _id', 15955);
  const idOf = parseGroupId(id);
  const fields = [...specification]
    .filter(([name]) => name !== '_id')
    .map(([name, accumulator]) => {
      rejectUnless(!name.includes('.') && !name.startsWith('$'), 'the field name cannot contain . or $');
      return [name, parseAccumulator(accumulator)] as const;
    });
  return ({ documents, isOrdered }) => {
    const groups: { id: Maybe; members: Document[] }[] = [];
    for (const document of documents) {
      const found = idOf(document);
      const group = groups.find((one) => isEqual(one.id, found));
      if (group === undefined) groups.push({ id: found, members: [document] });
      else {
        if (!isOrdered && !isIdentical(group.id, found))
          throw new Undetermined('equal ids that are not the same');
        group.members.push(document);
      }
    }
    const results = groups.map(({ id, members }) => groupDocument(id, members, fields, isOrdered));
    return { documents: results, isOrdered: results.length < 2 };
  };
}

const isOperator = (document: Document): boolean => document.keys().next().value?.startsWith('$') ?? false;

/** A missing `_id` counts as null, but a missing field of a document `_id` stays missing. */
function parseGroupId(id: BsonValue): (document: Document) => Maybe {
  if (id instanceof Map) {
    const hasFlag = [...id.values()].some((value) => typeof value === 'boolean' || isNumber(value));
    rejectUnless(!hasFlag || isOperator(id), '$group does not support inclusion-style expressions', 17390);
  }
  const expression = parseExpression(id);
  return (document) => expression(document) ?? null;
}

function groupDocument(
  id: Maybe,
  members: readonly Document[],
  fields: readonly (readonly [string, Accumulator])[],
  isOrdered: boolean,
): Document {
  const result: Document = new Map([['_id', id ?? null]]);
  for (const [name, { evaluate, combine, needsOrder }] of fields) {
    const values = members.map(evaluate);
    if (!isOrdered && needsOrder(values))
      throw new Undetermined('an accumulator over documents without an order');
    result.set(name, combine(values));
  }
  return result;
}

function parseUnwind(path: BsonValue): Stage {
  rejectUnless(typeof path === 'string' && path !== '', 'no path specified to $unwind stage');
  rejectUnless(
    path.startsWith('$') && path.length > 1,
    "path option to $unwind should be prefixed with a '$'",
    28818,
  );
  const parts = path.slice(1).split('.');
  return onDocuments((documents) => documents.flatMap((document) => unwind(document, parts)));
}

function unwind(document: Document, path: readonly string[]): Document[] {
  const value = nested(document, path);
  if (Array.isArray(value)) return value.map((element) => withNested(document, path, element));
  return value === undefined || value === null ? [] : [document];
}

/** The value at the path. Does not enter arrays. */
function nested(document: Document, [name, ...rest]: readonly string[]): Maybe {
  const value = document.get(name as string);
  return rest.length === 0 ? value : value instanceof Map ? nested(value, rest) : undefined;
}

function withNested(document: Document, [name, ...rest]: readonly string[], value: Maybe): Document {
  const result: Document = new Map(document);
  const inner = document.get(name as string);
  const field = rest.length === 0 ? value : withNested(inner instanceof Map ? inner : new Map(), rest, value);
  if (field === undefined) result.delete(name as string);
  else result.set(name as string, field);
  return result;
}
