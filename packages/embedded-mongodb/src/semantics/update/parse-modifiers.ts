import { type Document, isDocument, typeName } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { spendSteps } from '../../computation-limit.ts';
import { compareStrings } from '../compare.ts';
import { isArrayIndex, splitPath } from '../path.ts';
import { type Branch, insertLeaf, isBranch } from '../path-tree.ts';
import { pull } from './array-modifiers.ts';
import { max, min, set, unset } from './field-modifiers.ts';
import type { Modifier, Modify } from './modifier.ts';
import { bitwise, increment } from './number-modifiers.ts';
import { push } from './push.ts';

/** Every update modifier in scope. */
export const MODIFIERS: Readonly<Record<string, Modifier>> = {
  $set: { parse: set },
  $setOnInsert: { parse: set, isForInsert: true },
  $unset: { parse: unset, ignoresBlockedPath: true },
  $inc: { parse: increment },
  $min: { parse: min },
  $max: { parse: max },
  $bit: { parse: bitwise },
  $push: { parse: push },
  $pull: { parse: pull },
};

/** Modifiers of MongoDB 7 that are out of scope. Their error says so instead of calling them unknown. */
export const MODIFIERS_OUT_OF_SCOPE: ReadonlySet<string> = new Set(
  '$addToSet $currentDate $mul $pop $pullAll $rename'.split(' '),
);

/** The cost of parsing a modifier and sorting it among the others. */
const STEPS_PER_MODIFIER = 10;

/** A modifier on one path, with its operand. */
export interface UpdateLeaf {
  modifier: Modifier;
  modify: Modify;
}

/** All modifiers of an update, by path. The parts of the paths are field names or array indexes. */
export type UpdateTree = Branch<UpdateLeaf>;

/** Parses an update of operators into the tree of its modifiers. Throws MongoDB's errors. */
export function parseModifiers(update: Document): UpdateTree {
  const root: UpdateTree = { children: new Map() };
  for (const [name, fields] of update) {
    const modifier = modifierNamed(name);
    if (!isDocument(fields))
      throw mongoError('FailedToParse', `Modifiers operate on fields but ${name} has a ${typeName(fields)}`);
    spendSteps(fields.size * STEPS_PER_MODIFIER);
    for (const [path, operand] of fields) {
      const parts = parseUpdatePath(path);
      insertLeaf(root, parts, { modifier, modify: modifier.parse(operand, path) }, (depth) =>
        mongoError(
          'ConflictingUpdateOperators',
          `Updating the path '${path}' would create a conflict at '${parts.slice(0, depth + 1).join('.')}'`,
        ),
      );
    }
  }
  sortTree(root);
  return root;
}

function modifierNamed(name: string): Modifier {
  const modifier = Object.hasOwn(MODIFIERS, name) ? MODIFIERS[name] : undefined;
  if (modifier !== undefined) return modifier;
  if (MODIFIERS_OUT_OF_SCOPE.has(name)) throw outOfScope(`the update modifier ${name}`);
  throw mongoError('FailedToParse', `Unknown modifier: ${name}. Expected an update modifier or a pipeline`);
}

function parseUpdatePath(path: string): string[] {
  const parts = splitPath(path);
  for (const part of parts) {
    if (part === '')
      throw mongoError('EmptyFieldName', `The update path '${path}' contains an empty field name`);
    // Any other name may start with $ since MongoDB 5.0.
    if (part === '$' || (part.startsWith('$[') && part.endsWith(']')))
      throw outOfScope(`the positional operator '${part}' in an update`);
  }
  return parts;
}

/**
 * Sorts the tree. MongoDB applies updates, and therefore adds new fields, in the order of their names, numbers by value.
 * See https://www.mongodb.com/docs/v7.0/reference/operator/update/#update-operators-processing-order
 */
function sortTree(branch: UpdateTree): void {
  branch.children = new Map([...branch.children].sort(([a], [b]) => compareNames(a, b)));
  for (const child of branch.children.values()) if (isBranch(child)) sortTree(child);
}

function compareNames(a: string, b: string): number {
  return isArrayIndex(a) && isArrayIndex(b) ? Number(a) - Number(b) : compareStrings(a, b);
}
