import { type BsonValue, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { namedOperands, type Operators } from '../operator.ts';

export const VARIABLE_OPERATORS: Operators = {
  $let: (operand, recurse, name) => {
    const named = namedOperands(name, operand, ['vars', 'in']);
    const vars = named.get('vars');
    if (!isDocument(vars)) throw mongoError(10065, 'invalid parameter: expected an object (vars)');
    const variables = [...vars].map(([variable, value]) => {
      if (!/^[a-z][\w\u0080-\uffff]*$/.test(variable)) {
        throw mongoError(
          'FailedToParse',
          `'${variable}' starts with an invalid character for a user variable name`,
        );
      }
      return { variable, evaluate: recurse(value) };
    });
    const body = recurse(
      named.get('in') as BsonValue,
      variables.map(({ variable }) => variable),
    );
    return (scope) => {
      const bound = new Map(scope.variables);
      for (const { variable, evaluate } of variables) bound.set(variable, evaluate(scope));
      return body({ ...scope, variables: bound });
    };
  },
};
