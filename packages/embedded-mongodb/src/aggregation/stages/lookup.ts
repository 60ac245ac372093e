import { BSONRegExp } from 'bson';
import { type BsonValue, type Document, documentOf, isDocument } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { compileExpression } from '../expression.ts';
import { parseFieldPath, valueAtFieldPath, withValueAt } from '../field-path.ts';
import { isNullish } from '../operator.ts';
import {
  mapping,
  type ParsePipeline,
  type ParseStage,
  type PipelineContext,
  refuseWrites,
  runPipeline,
  scopeFor,
  variableNames,
} from '../stage.ts';

const OPTIONS = new Set(['from', 'localField', 'foreignField', 'as', 'let', 'pipeline']);

/** Joins with another collection: by equal fields, by a pipeline of its own, or both. */
export const parseLookup: ParseStage = (operand, context, parsePipeline) => {
  if (!isDocument(operand)) throw mongoError('FailedToParse', 'the $lookup specification must be an Object');
  for (const name of operand.keys()) {
    if (!OPTIONS.has(name)) throw mongoError('FailedToParse', `unknown argument to $lookup: ${name}`);
  }
  const { find } = context;
  if (find === undefined) throw notImplemented('$lookup here');
  const from = textOption(operand, 'from');
  const as = parseFieldPath(textOption(operand, 'as'));
  const join = parseJoin(operand);
  const runInner = parseInner(operand, context, parsePipeline);
  return mapping((document) => {
    const filter = join === undefined ? new Map() : join(document);
    const found = filter === undefined ? [] : find(from, filter);
    return withValueAt(document, as, [...runInner(found, document)]);
  });
};

function textOption(operand: Document, name: string): string {
  const value = operand.get(name);
  if (value === undefined) throw mongoError('FailedToParse', `must specify '${name}' field for a $lookup`);
  if (typeof value !== 'string')
    throw mongoError('FailedToParse', `$lookup argument '${name}' must be a string`);
  return value;
}

/** The filter on the other collection for a document of this one; undefined where nothing can match. */
function parseJoin(operand: Document): ((document: Document) => Document | undefined) | undefined {
  if (!operand.has('localField') && !operand.has('foreignField')) {
    if (!operand.has('pipeline')) {
      throw mongoError(
        'FailedToParse',
        "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified",
      );
    }
    return undefined;
  }
  const local = parseFieldPath(textOption(operand, 'localField'));
  const foreign = textOption(operand, 'foreignField');
  parseFieldPath(foreign);
  return (document) => {
    const value = valueAtFieldPath(document, local);
    if (!Array.isArray(value))
      return new Map([[foreign, documentOf({ $eq: isNullish(value) ? null : value })]]);
    if (value.length === 0) return undefined;
    if (value.some((element) => element instanceof BSONRegExp))
      throw notImplemented('$lookup by regular expressions in an array');
    return new Map([[foreign, documentOf({ $in: value })]]);
  };
}

function parseInner(
  operand: Document,
  context: PipelineContext,
  parsePipeline: ParsePipeline,
): (found: Iterable<Document>, document: Document) => Iterable<Document> {
  const pipeline = operand.get('pipeline');
  if (pipeline === undefined) return (found) => found;
  const given = operand.get('let') ?? new Map<string, BsonValue>();
  if (!isDocument(given)) throw mongoError('FailedToParse', "$lookup argument 'let' must be an object");
  const names = variableNames(context);
  const variables = [...given].map(([name, value]) => ({ name, evaluate: compileExpression(value, names) }));
  const bind = (document: Document): PipelineContext => {
    const scope = scopeFor(document, context);
    const bound = new Map(context.variables);
    for (const { name, evaluate } of variables) bound.set(name, evaluate(scope));
    return { ...context, variables: bound };
  };
  // What is wrong with it shows even without documents.
  refuseWrites(parsePipeline(pipeline, bind(new Map())), 51047, '$lookup');
  return (found, document) => runPipeline(parsePipeline(pipeline, bind(document)), found);
}
