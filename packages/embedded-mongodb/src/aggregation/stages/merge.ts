import { ObjectId } from 'bson';
import { type BsonValue, type Document, isDocument, typeName } from '../../bson/document.ts';
import { MongoError, mongoError } from '../../bson/mongo-error.ts';
import { parseUpdate } from '../../semantics/update.ts';
import { compileExpression } from '../expression.ts';
import { valueAtFieldPath } from '../field-path.ts';
import { isNullish } from '../operator.ts';
import {
  type MergeTarget,
  type Namespace,
  type ParseStage,
  type PipelineContext,
  scopeFor,
  variableNames,
  writesOf,
} from '../stage.ts';

type WhenMatched = 'replace' | 'merge' | 'keepExisting' | 'fail' | BsonValue[];
type WhenNotMatched = 'insert' | 'discard' | 'fail';

interface Merge {
  into: Namespace;
  on: readonly string[];
  whenMatched: WhenMatched;
  whenNotMatched: WhenNotMatched;
  let: Document | undefined;
}

/** Writes each document into a collection: over the one with the same fields `on`, or as a new one. */
export const parseMerge: ParseStage = (operand, context) => {
  const merge = parseOperand(operand);
  const writes = writesOf(context, '$merge');
  const write = writerOf(merge, context);
  // biome-ignore lint/correctness/useYield: what is written is not given to the client
  return function* merged(input) {
    const target = writes.mergeInto(merge.into);
    if (!target.isUniqueOn(merge.on)) {
      throw mongoError(51183, 'Cannot find index to verify that join fields will be unique');
    }
    // Read to its end first: the documents may come from where they go to.
    for (const document of [...input]) write(target, withId(document, merge.on));
  };
};

function withId(document: Document, on: readonly string[]): Document {
  if (document.has('_id') || !on.includes('_id')) return document;
  return new Map<string, BsonValue>([['_id', new ObjectId()], ...document]);
}

function writerOf(merge: Merge, context: PipelineContext): (target: MergeTarget, document: Document) => void {
  const variables = variablesFor(merge, context);
  // What is wrong with the pipeline shows even without documents.
  if (Array.isArray(merge.whenMatched)) parseUpdate(merge.whenMatched, { variables: variables(new Map()) });
  return (target, document) => {
    const keys = merge.on.map((path) => [path, keyAt(document, path)] as const);
    const { whenMatched, whenNotMatched } = merge;
    if (whenMatched === 'fail') {
      target.insert(document);
      return;
    }
    const found = target.find(keys);
    if (found !== undefined) {
      if (whenMatched !== 'keepExisting') overwrite(target, found, document, whenMatched, variables);
    } else if (whenNotMatched === 'insert') {
      target.insert(document);
    } else if (whenNotMatched === 'fail') {
      throw new MongoError(
        13113,
        'MergeStageNoMatchingDocument',
        '$merge could not find a matching document in the target collection for at least one document in the source collection',
      );
    }
  };
}

function overwrite(
  target: MergeTarget,
  found: Parameters<MergeTarget['update']>[0],
  document: Document,
  whenMatched: 'replace' | 'merge' | BsonValue[],
  variables: (document: Document) => ReadonlyMap<string, BsonValue>,
): void {
  if (whenMatched === 'replace') {
    target.update(found, { kind: 'replacement', document });
  } else if (whenMatched === 'merge') {
    target.update(found, parseUpdate(new Map([['$set', document]])));
  } else {
    target.update(found, parseUpdate(whenMatched, { variables: variables(document) }));
  }
}

/** What a whenMatched pipeline may name: the new document as `$$new`, or what `let` makes of it. */
function variablesFor(
  merge: Merge,
  context: PipelineContext,
): (document: Document) => ReadonlyMap<string, BsonValue> {
  const names = variableNames(context);
  const given = merge.let ?? new Map<string, BsonValue>([['new', '$$ROOT']]);
  const compiled = [...given].map(([name, value]) => ({ name, evaluate: compileExpression(value, names) }));
  return (document) => {
    const scope = scopeFor(document, context);
    const bound = new Map<string, BsonValue>();
    for (const [name, value] of context.variables) if (value !== undefined) bound.set(name, value);
    for (const { name, evaluate } of compiled) bound.set(name, evaluate(scope) ?? null);
    return bound;
  };
}

function keyAt(document: Document, path: string): BsonValue {
  const value = valueAtFieldPath(document, path.split('.'));
  if (isNullish(value) || Array.isArray(value)) {
    throw mongoError(51132, "$merge write error: 'on' field cannot be missing, null, undefined or an array");
  }
  return value;
}

const FIELDS = new Set(['into', 'on', 'let', 'whenMatched', 'whenNotMatched']);

function parseOperand(operand: BsonValue): Merge {
  if (typeof operand === 'string') return parseOperand(new Map([['into', operand]]));
  if (!isDocument(operand)) {
    throw mongoError(
      51182,
      `$merge only supports a string or object argument, but found ${typeName(operand)}`,
    );
  }
  for (const name of operand.keys()) {
    if (!FIELDS.has(name)) throw mongoError(40415, `BSON field '$merge.${name}' is an unknown field.`);
  }
  const into = operand.get('into');
  if (into === undefined) throw mongoError(40414, "BSON field '$merge.into' is missing but a required field");
  const merge: Merge = {
    into: parseInto(into),
    on: parseOn(operand.get('on') ?? '_id'),
    whenMatched: parseWhenMatched(operand.get('whenMatched') ?? 'merge'),
    whenNotMatched: parseWhenNotMatched(operand.get('whenNotMatched') ?? 'insert'),
    let: parseLet(operand.get('let')),
  };
  refuseCombination(merge);
  return merge;
}

function parseInto(into: BsonValue): Namespace {
  if (typeof into === 'string') return { databaseName: undefined, collectionName: into };
  const database = isDocument(into) ? into.get('db') : undefined;
  const collection = isDocument(into) ? into.get('coll') : undefined;
  if (typeof collection !== 'string' || (database !== undefined && typeof database !== 'string')) {
    throw mongoError(51178, "$merge 'into' field must be a string or an object with a string in 'coll'");
  }
  return { databaseName: database, collectionName: collection };
}

function parseOn(on: BsonValue): string[] {
  const fields = Array.isArray(on) ? on : [on];
  if (fields.length === 0)
    throw mongoError(51187, "If explicitly specifying $merge 'on', must include at least one field");
  const paths: string[] = [];
  for (const field of fields) {
    if (typeof field !== 'string')
      throw mongoError(
        Array.isArray(on) ? 51134 : 51186,
        "$merge 'on' must be a string or an array of strings",
      );
    if (paths.includes(field)) throw mongoError(31465, `Found a duplicate field '${field}' in $merge 'on'`);
    paths.push(field);
  }
  return paths;
}

function parseWhenMatched(value: BsonValue): WhenMatched {
  if (Array.isArray(value)) return value;
  if (value === 'replace' || value === 'merge' || value === 'keepExisting' || value === 'fail') return value;
  throw unknownMode('whenMatched', value);
}

function parseWhenNotMatched(value: BsonValue): WhenNotMatched {
  if (value === 'insert' || value === 'discard' || value === 'fail') return value;
  throw unknownMode('whenNotMatched', value);
}

function unknownMode(field: string, value: BsonValue): Error {
  if (typeof value !== 'string') return mongoError(51191, `$merge '${field}' must be a string or a pipeline`);
  return mongoError(
    'BadValue',
    `Enumeration value '${value}' for field '$merge.${field}' is not a valid value.`,
  );
}

function parseLet(value: BsonValue | undefined): Document | undefined {
  if (value === undefined || isDocument(value)) return value;
  throw mongoError(
    'TypeMismatch',
    `BSON field '$merge.let' is the wrong type '${typeName(value)}', expected type 'object'`,
  );
}

function refuseCombination({ whenMatched, whenNotMatched, let: given }: Merge): void {
  if ((whenMatched === 'fail' || whenMatched === 'keepExisting') && whenNotMatched !== 'insert') {
    throw mongoError(
      51181,
      `Combination of {whenMatched: ${whenMatched} and whenNotMatched: ${whenNotMatched}} modes is not supported`,
    );
  }
  if (given !== undefined && !Array.isArray(whenMatched)) {
    throw mongoError(51199, "Cannot use 'let' variables with 'whenMatched' that is not a pipeline");
  }
}
