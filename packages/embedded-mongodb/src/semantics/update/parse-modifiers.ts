import { type BsonValue, type Document, isDocument, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../collation.ts';
import { describeField } from '../describe.ts';
import { splitPath } from '../path.ts';
import type { ArrayFilters } from './array-filters.ts';
import { addToSet, pop, pull, pullAll, push } from './array-modifiers.ts';
import { currentDate, extreme, renameFrom, set, setOnInsert, unset } from './field-modifiers.ts';
import type { Modifier } from './modifier.ts';
import { bitwise, increment, multiplyBy } from './number-modifiers.ts';
import { emptyBranch, insertModifier, isArrayUpdate, sortTree, type UpdateBranch } from './tree.ts';

type MakeModifier = (path: string, operand: BsonValue, collation: Collation | undefined) => Modifier;

const MODIFIERS: Readonly<Record<string, MakeModifier>> = {
  $set: (_path, operand) => set(operand),
  $setOnInsert: (_path, operand) => setOnInsert(operand),
  $unset: () => unset(),
  $inc: increment,
  $mul: multiplyBy,
  $min: (_path, operand, collation) => extreme('$min', operand, collation),
  $max: (_path, operand, collation) => extreme('$max', operand, collation),
  $currentDate: currentDate,
  $bit: bitwise,
  $push: (_path, operand, collation) => push(operand, collation),
  $addToSet: (_path, operand, collation) => addToSet(operand, collation),
  $pop: (_path, operand) => pop(operand),
  $pull: (_path, operand, collation) => pull(operand, collation),
  $pullAll: (_path, operand, collation) => pullAll(operand, collation),
};

/** Parses an update of operators into the tree of its modifiers. Throws MongoDB's errors. */
export function parseModifiers(
  update: Document,
  arrayFilters: ArrayFilters,
  collation?: Collation,
): UpdateBranch {
  const root = emptyBranch();
  const usedFilters = new Set<string>();
  for (const [operator, fields] of update) {
    const make = Object.hasOwn(MODIFIERS, operator) ? MODIFIERS[operator] : undefined;
    if (make === undefined && operator !== '$rename') {
      throw mongoError(
        'FailedToParse',
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!isDocument(fields)) {
      throw mongoError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ...}`,
      );
    }
    for (const [path, operand] of fields) {
      const parts = parseUpdatePath(path, arrayFilters, usedFilters);
      if (make === undefined) insertRename(root, path, parts, operand);
      else insertModifier(root, parts, make(path, operand, collation));
    }
  }
  refuseUnusedFilters(arrayFilters, usedFilters);
  sortTree(root);
  return root;
}

function parseUpdatePath(path: string, arrayFilters: ArrayFilters, usedFilters: Set<string>): string[] {
  if (path === '') throw mongoError('EmptyFieldName', 'An empty update path is not valid.');
  const parts = splitPath(path);
  parts.forEach((part, index) => {
    if (part === '') {
      throw mongoError(
        'EmptyFieldName',
        `The update path '${path}' contains an empty field name, which is not allowed.`,
      );
    }
    // Any other name may start with $ since MongoDB 5.0.
    if (part === '$' || isArrayUpdate(part)) checkDollarPart(part, index, path, arrayFilters, usedFilters);
  });
  if (parts.indexOf('$') !== parts.lastIndexOf('$')) {
    throw mongoError('BadValue', `Too many positional (i.e. '$') elements found in path '${path}'`);
  }
  return parts;
}

function checkDollarPart(
  part: string,
  index: number,
  path: string,
  arrayFilters: ArrayFilters,
  used: Set<string>,
): void {
  if (index === 0) {
    const what = part === '$' ? "positional (i.e. '$')" : `array filter (i.e. '$[<id>]')`;
    throw mongoError('BadValue', `Cannot have ${what} element in the first position in path '${path}'`);
  }
  const identifier = part.slice(2, -1);
  if (identifier === '') return;
  if (!arrayFilters.has(identifier)) {
    throw mongoError('BadValue', `No array filter found for identifier '${identifier}' in path '${path}'`);
  }
  used.add(identifier);
}

function refuseUnusedFilters(arrayFilters: ArrayFilters, used: Set<string>): void {
  for (const identifier of arrayFilters.keys()) {
    if (!used.has(identifier)) {
      throw mongoError(
        'FailedToParse',
        `The array filter for identifier '${identifier}' was not used in the update`,
      );
    }
  }
}

function insertRename(root: UpdateBranch, path: string, source: string[], operand: BsonValue): void {
  if (typeof operand !== 'string') {
    throw mongoError(
      'BadValue',
      `The 'to' field for $rename must be a string: ${describeField(path, operand)}`,
    );
  }
  const target = parseUpdatePath(operand, new Map(), new Set());
  for (const parts of [source, target]) {
    if (parts.some((part) => part === '$' || part.startsWith('$['))) {
      throw mongoError(
        'BadValue',
        `The source and destination field for $rename may not be dynamic: ${parts.join('.')}`,
      );
    }
  }
  if (path === operand) {
    throw mongoError(
      'BadValue',
      `The source and target field for $rename must differ: ${describeField(path, operand)}`,
    );
  }
  if (`${operand}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${operand}.`)) {
    throw mongoError(
      'BadValue',
      `The source and target field for $rename must not be on the same path: ${describeField(path, operand)}`,
    );
  }
  insertModifier(root, source, { ...unset(), onBlockedPath: 'refuse', operator: '$rename' });
  insertModifier(root, target, renameFrom(source));
}
