import { isDocument, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import type { ParseStage } from '../stage.ts';

/** The sessions that clients use on this server. */
export const parseListLocalSessions: ParseStage = (operand, { localSessions }) => {
  if (!isDocument(operand)) {
    throw mongoError(
      'TypeMismatch',
      `$listLocalSessions options must be specified in an object, but found: ${typeName(operand)}`,
    );
  }
  if (operand.size > 0 && operand.get('allUsers') !== true)
    throw notImplemented('$listLocalSessions of chosen users');
  if (localSessions === undefined) throw notImplemented('$listLocalSessions here');
  return () => localSessions();
};
