import { isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { compileExpression } from '../expression.ts';
import { type ParseStage, scopeFor, variableNames } from '../stage.ts';

/** A pipeline's own documents, in the place of a collection's. */
export const parseDocuments: ParseStage = (operand, context) => {
  const evaluate = compileExpression(operand, variableNames(context));
  return function* documents() {
    const made = evaluate(scopeFor(new Map(), context));
    if (!Array.isArray(made)) throw mongoError(5858203, 'an array is expected for $documents');
    for (const document of made) {
      if (!isDocument(document)) throw mongoError(40228, '$documents must evaluate to an array of objects');
      yield document;
    }
  };
};
