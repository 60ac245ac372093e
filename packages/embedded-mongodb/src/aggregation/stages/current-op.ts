import { isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { type ParseStage, reportsOf } from '../stage.ts';

const FLAGS =
  'allUsers backtrace idleConnections idleCursors idleSessions localOps targetAllNodes truncateOps'.split(
    ' ',
  );

/** `{$currentOp: {idleConnections: true}}`: one document for each operation in progress. */
export const parseCurrentOp: ParseStage = (operand, context) => {
  if (!isDocument(operand))
    throw mongoError('TypeMismatch', '$currentOp options must be specified in an object');
  for (const [flag, value] of operand) {
    if (!FLAGS.includes(flag))
      throw mongoError('FailedToParse', `Unrecognized option '${flag}' in $currentOp stage.`);
    if (typeof value !== 'boolean')
      throw mongoError(
        flag === 'allUsers' || flag === 'localOps' ? 'TypeMismatch' : 'FailedToParse',
        `The '${flag}' parameter of the $currentOp stage must be a boolean value`,
      );
  }
  const reports = reportsOf(context, '$currentOp');
  return () => reports.operations(operand.get('idleConnections') === true);
};
