import type { Actor } from '@tollgate/contracts/accounts/actor';
import { keyEntryKey } from '@tollgate/contracts/applications/principal';
import type { updateKey as contract } from '@tollgate/contracts/applications/rpc';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import { requireRoleForKeys } from '../access/permissions.ts';
import { findApplication } from '../applications/find-application.ts';
import { keyEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { publishPrincipals } from '../principals/publish-principals.ts';
import { type ApiKey, edited } from './api-key.ts';
import { parseKeyFields } from './parse-key-fields.ts';
import { requireCurrent } from './require-current.ts';

/**
 * Changes a key, and returns once the bucket that gateways mirror holds the change, because it may narrow access. No edit
 * undoes a revocation. Throws `forbidden`, `not-found`, `precondition-failed`, `conflict`, `invalid-request`,
 * `unavailable`.
 */
export async function updateKey(
  context: Context,
  actor: Actor,
  { key_id, if_version, ...edit }: Static<typeof contract.request>,
): Promise<ApiKey> {
  const key = await changeAudited(
    context,
    context.apiKeys,
    { _id: key_id, team_id: actor.team_id },
    async (before, now) => {
      requireRoleForKeys(actor, before.environment);
      requireVersion(if_version, before.version, 'the key');
      // A key that ended stays ended: its owner may have stopped guarding it. A rotated key would outlive its overlap with
      // another expiry.
      requireCurrent(before, now, { done: 'changed', todo: 'Change' });
      const application = await findApplication(context, actor.team_id, before.application_id);
      return edited(before, parseKeyFields(edit, application, now), now);
    },
    keyEntry('key.updated', actorAuthor(actor)),
  );
  await publishPrincipals(context, [keyEntryKey(key.lookup_id)]);
  return key;
}
