import type { Principal } from '@tollgate/contracts/applications/principal';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import type { FastifyRequest } from 'fastify';
import type { Principals } from './principals.ts';
import { sentLookupId } from './sent-lookup-id.ts';

/** The key was sent, and rejected. */
const REJECTIONS: readonly (ErrorCode | null)[] = [
  'invalid-api-key',
  'ip-not-allowed',
  'application-disabled',
];

/** Returns whose key a rejected request has; null if it has no key, or an unknown one. */
export type FindRejectedCaller = (request: FastifyRequest) => Omit<Principal, 'scopes'> | null;

/**
 * Finds the caller for the request log: its team sees that a key of theirs is used after its revocation, from elsewhere, or mistyped. The
 * secret of the key may be wrong, so anything found here is for showing only.
 */
export function createFindRejectedCaller({
  environment,
  principals,
}: {
  environment: Environment;
  principals: Principals;
}): FindRejectedCaller {
  return (request) => {
    if (!REJECTIONS.includes(request.problemCode)) return null;
    const lookupId = sentLookupId(request);
    const key = lookupId === undefined ? undefined : principals.findKey(lookupId);
    const application = key && principals.findApplication(key.applicationId);
    if (!application) return null;
    return {
      team_id: application.teamId,
      application_id: key.applicationId,
      key_id: key.id,
      environment,
    };
  };
}
