import { isDocument } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import {
  computedField,
  computeFields,
  parseProjectStage,
  projectFields,
} from '../../semantics/projection.ts';
import { compileExpression } from '../expression.ts';
import { parseFieldPath } from '../field-path.ts';
import { typeOf } from '../operator.ts';
import { scopeOf } from '../scope.ts';
import { mapping, type ParseStage } from '../stage.ts';

export const parseProject: ParseStage = (operand, { now }) => {
  const projection = parseProjectStage(operand);
  return mapping((document) =>
    computeFields(projection.computed, projectFields(projection, document), scopeOf(document, now)),
  );
};

export const parseAddFields: ParseStage = (operand, { now }) => {
  if (!isDocument(operand)) throw mongoError(40272, '$addFields specification stage must be an object');
  const computed = [...operand].map(([path, value]) => {
    // A document without an operator would stand for dotted paths. Since MongoDB 6.1, an empty one is a value.
    if (isDocument(value) && value.size > 0 && ![...value.keys()].some((name) => name.startsWith('$')))
      throw outOfScope(`the document at '${path}' in $addFields`);
    if (isDocument(value) && value.size > 1)
      throw mongoError(40181, 'an expression specification must contain exactly one field');
    return computedField(parseFieldPath(path), value);
  });
  return mapping((document) => computeFields(computed, document, scopeOf(document, now)));
};

export const parseReplaceWith: ParseStage = (operand, { now }) => {
  const evaluate = compileExpression(operand);
  return mapping((document) => {
    const result = evaluate(scopeOf(document, now));
    if (isDocument(result)) return result;
    throw mongoError(
      40228,
      `'newRoot' expression must evaluate to an object, but resulting value was of type: '${typeOf(result)}'`,
    );
  });
};
