import { type BsonValue, type Document, documentOf, integer, isDocument } from '../../bson/document.ts';
import type { Collation } from '../collation.ts';
import { isOperatorDocument } from '../filter/parse.ts';
import { matches, parseFilter } from '../filter.ts';
import { splitPath } from '../path.ts';
import { annotationsOf, brokenSchemaRules } from './explain-schema.ts';
import { failedRule } from './failed-rule.ts';

const REASONS: Readonly<Record<string, string>> = {
  $eq: 'comparison failed',
  $gt: 'comparison failed',
  $gte: 'comparison failed',
  $lt: 'comparison failed',
  $lte: 'comparison failed',
  $ne: 'comparison succeeded',
  $in: 'no matching value found in array',
  $nin: 'matching value found in array',
  $type: 'type did not match',
  $exists: 'path does not exist',
  $regex: 'regular expression did not match',
  $size: 'array length was not equal to given size',
  $mod: '$mod did not evaluate to expected remainder',
  $elemMatch: 'array did not satisfy the child predicate',
  $all: 'array did not contain all specified values',
};

/** Why a document does not match the validator of its collection: mongod's `errInfo.details`. */
export function explainMismatch(
  validator: Document,
  document: Document,
  collation: Collation | undefined,
): Document {
  const clauses = clausesOf(validator);
  const fails = (clause: Document) => !matches(parseFilter(clause, { collation }), document);
  const explain = (clause: Document) => explainClause(clause, document, collation);
  const [only] = clauses;
  if (clauses.length === 1 && only !== undefined) return explain(only);
  const clausesNotSatisfied = clauses.flatMap((clause, index) =>
    fails(clause) ? [documentOf({ index: integer(index), details: explain(clause) })] : [],
  );
  return documentOf({ operatorName: '$and', clausesNotSatisfied });
}

/** A filter's conditions, one by one: `{a: {$gt: 1, $lt: 5}, b: 1}` has three. */
function clausesOf(filter: Document): Document[] {
  return [...filter].flatMap(([name, operand]) => {
    if (!isOperatorDocument(operand) || name.startsWith('$')) return [new Map([[name, operand]])];
    const groups = [...operand].filter(([operator]) => operator !== '$options');
    return groups.map(([operator, value]) => new Map([[name, conditionOf(operator, value, operand)]]));
  });
}

/** `$regex` goes with its `$options`. */
function conditionOf(operator: string, value: BsonValue, siblings: Document): Document {
  const condition: Document = new Map([[operator, value]]);
  const options = siblings.get('$options');
  if (operator === '$regex' && options !== undefined) condition.set('$options', options);
  return condition;
}

function explainClause(clause: Document, document: Document, collation: Collation | undefined): Document {
  const [[name, operand] = ['', null]] = clause;
  if (name === '$jsonSchema' && isDocument(operand)) {
    const schemaRulesNotSatisfied = brokenSchemaRules(operand, document);
    return documentOf({ operatorName: name, ...annotationsOf(operand), schemaRulesNotSatisfied });
  }
  if (name === '$expr') {
    return documentOf({
      operatorName: name,
      specifiedAs: clause,
      reason: 'expression did not match',
      expressionResult: false,
    });
  }
  if (Array.isArray(operand) && (name === '$and' || name === '$or' || name === '$nor')) {
    return explainBranches(name, operand.filter(isDocument), document, collation);
  }
  const operator = isOperatorDocument(operand) ? ([...operand.keys()][0] as string) : '$eq';
  const value = valueAt(document, name);
  const reason =
    value === undefined && operator !== '$exists'
      ? 'field was missing'
      : (REASONS[operator] ?? 'expression did not match');
  return failedRule(operator, clause, reason, value);
}

function explainBranches(
  operatorName: string,
  branches: Document[],
  document: Document,
  collation: Collation | undefined,
): Document {
  const clausesNotSatisfied = branches.flatMap((branch, index) => {
    const isMatch = matches(parseFilter(branch, { collation }), document);
    if (isMatch !== (operatorName === '$nor')) return [];
    return [documentOf({ index: integer(index), details: explainMismatch(branch, document, collation) })];
  });
  return documentOf({ operatorName, clausesNotSatisfied });
}

/** What a path without arrays leads to. */
function valueAt(document: Document, path: string): BsonValue | undefined {
  let value: BsonValue | undefined = document;
  for (const step of splitPath(path)) value = isDocument(value) ? value.get(step) : undefined;
  return value;
}
