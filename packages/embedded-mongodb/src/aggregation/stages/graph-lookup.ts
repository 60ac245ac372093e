import { BSONRegExp } from 'bson';
import {
  type BsonValue,
  type Document,
  documentOf,
  isDocument,
  isNumeric,
  long,
} from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { compileExpression } from '../expression.ts';
import { parseFieldPath, valueAtFieldPath, withValueAt } from '../field-path.ts';
import { mapping, type ParseStage, scopeFor, variableNames } from '../stage.ts';
import { ValueSet } from '../value-set.ts';

const OPTIONS = new Set([
  'from',
  'startWith',
  'connectFromField',
  'connectToField',
  'as',
  'maxDepth',
  'depthField',
  'restrictSearchWithMatch',
]);

/** Follows references within another collection, from document to document, each once. */
export const parseGraphLookup: ParseStage = (operand, context) => {
  if (!isDocument(operand))
    throw mongoError('FailedToParse', 'the $graphLookup stage specification must be an object');
  for (const name of operand.keys()) {
    if (!OPTIONS.has(name)) throw mongoError(40104, `Unknown argument to $graphLookup: ${name}`);
  }
  const { find } = context;
  if (find === undefined) throw notImplemented('$graphLookup here');
  const startWith = operand.get('startWith');
  if (startWith === undefined) throw missing();
  const evaluateStart = compileExpression(startWith, variableNames(context));
  const from = textOption(operand, 'from');
  const connectFrom = parseFieldPath(textOption(operand, 'connectFromField'));
  const connectTo = textOption(operand, 'connectToField');
  parseFieldPath(connectTo);
  const as = parseFieldPath(textOption(operand, 'as'));
  const maxDepth = parseMaxDepth(operand.get('maxDepth'));
  const depthField = operand.has('depthField')
    ? parseFieldPath(textOption(operand, 'depthField'))
    : undefined;
  const restriction = parseRestriction(operand.get('restrictSearchWithMatch'));

  const search = (wanted: readonly BsonValue[]): Iterable<Document> =>
    find(
      from,
      new Map<string, BsonValue>([
        ['$and', [restriction, new Map([[connectTo, documentOf({ $in: [...wanted] })]])]],
      ]),
    );

  return mapping((document) => {
    const found: Document[] = [];
    const visited = new ValueSet(); // by _id
    const asked = new ValueSet(context.collation);
    let frontier = newValues(evaluateStart(scopeFor(document, context)), asked);
    for (let depth = 0; frontier.length > 0 && depth <= maxDepth; depth++) {
      const reached: Document[] = [];
      for (const other of search(frontier)) if (visited.add(other.get('_id') ?? null)) reached.push(other);
      frontier = reached.flatMap((other) => newValues(valueAtFieldPath(other, connectFrom), asked));
      for (const other of reached)
        found.push(depthField === undefined ? other : withValueAt(other, depthField, long(depth)));
    }
    return withValueAt(document, as, found);
  });
};

/** The values to look for that were not looked for yet: of an array its elements. */
function newValues(value: BsonValue | undefined, asked: ValueSet): BsonValue[] {
  if (value === undefined) return [];
  const values = Array.isArray(value) ? value : [value];
  if (values.some((one) => one instanceof BSONRegExp))
    throw notImplemented('$graphLookup by regular expressions');
  return values.filter((one) => asked.add(one));
}

function missing(): Error {
  return mongoError(
    40105,
    "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be specified.",
  );
}

function textOption(operand: Document, name: string): string {
  const value = operand.get(name);
  if (value === undefined) throw missing();
  if (typeof value !== 'string') throw mongoError(40103, `expected string as argument for ${name}`);
  return value;
}

function parseMaxDepth(value: BsonValue | undefined): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (!isNumeric(value)) throw mongoError(40100, 'maxDepth must be numeric');
  const depth = toNearestDouble(value);
  if (depth < 0) throw mongoError(40101, 'maxDepth requires a nonnegative argument');
  if (!Number.isSafeInteger(depth))
    throw mongoError(40102, 'maxDepth could not be represented as a long long');
  return depth;
}

function parseRestriction(value: BsonValue | undefined): Document {
  if (value === undefined) return new Map();
  if (isDocument(value)) return value;
  throw mongoError(40185, 'restrictSearchWithMatch must be an object');
}
