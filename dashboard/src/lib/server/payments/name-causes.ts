import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentDetail, TimelineEntry } from '@tollgate/contracts/payments/payment-history';
import type { Role } from '@tollgate/contracts/platform/roles';
import { inWords } from '#lib/format/label-of.ts';
import type { TimelineStep } from '#lib/payments/payment-view.ts';
import { readKeys } from '#lib/server/applications/read-keys.ts';
import { orNull } from '#lib/server/or-null.ts';
import { mayReadTokens } from '#lib/server/tokens/permissions.ts';
import { readTokenNames } from '#lib/server/tokens/token-names.ts';

type Cause = TimelineEntry['cause'];
type By = TimelineStep['by'];

/**
 * Replaces ids in the timeline by names. An id stays when its name is unavailable (a former member, a service that is
 * down, a token that the role may not read).
 */
export async function nameCauses(
  admin: AdminClient,
  { environment, application_id }: Pick<PaymentDetail, 'environment' | 'application_id'>,
  timeline: TimelineEntry[],
  role: Role,
): Promise<TimelineStep[]> {
  const idsOf = (type: Cause['type']) =>
    new Set(timeline.flatMap(({ cause }) => (cause.type === type && cause.id !== null ? [cause.id] : [])));
  const mayOpenTokens = mayReadTokens(role);
  const [keys, tokens, members] = await Promise.all([
    readKeys(admin, idsOf('key')),
    readTokenNames(admin, mayOpenTokens ? idsOf('token') : []),
    readMembers(admin, idsOf('member')),
  ]);

  const nameOf = ({ type, id, address }: Cause): By => {
    switch (type) {
      case 'key': {
        const key = keys.get(id ?? '');
        return {
          kind: 'key',
          name: key?.name ?? id ?? 'Unknown API key',
          href: `/${environment}/applications/${application_id}/keys/${id}`,
          note: key?.lookup_id ?? null,
        };
      }
      case 'member':
        return {
          kind: 'member',
          name: members.get(id ?? '') ?? id ?? 'Unknown member',
          href: '/team',
          note: address,
        };
      case 'token':
        return {
          kind: 'token',
          name: tokens.get(id ?? '') ?? id ?? 'Unknown API token',
          href: mayOpenTokens ? `/team/tokens/${id}` : null,
          note: address,
        };
      case 'processor':
        return { kind: 'processor', name: id ?? 'Unknown processor', href: null, note: null };
      case 'expiry':
        return { kind: 'expiry', name: 'Not settled in time', href: null, note: null };
      case 'retention':
        return { kind: 'retention', name: 'End of the retention period', href: null, note: null };
      default:
        // A cause that only a later release knows.
        return { kind: 'other', name: id ?? inWords(type), href: null, note: null };
    }
  };
  return timeline.map(({ event_id, type, occurred_at, cause, request_id }) => ({
    id: event_id,
    type,
    at: occurred_at,
    by: nameOf(cause),
    requestId: request_id,
    money: null,
  }));
}

async function readMembers(admin: AdminClient, ids: Set<string>): Promise<Map<string, string>> {
  if (ids.size === 0) return new Map();
  const members = await orNull(admin.call(ADMIN_ROUTES.listMembers, {}));
  return new Map(members?.data.map(({ id, name }) => [id, name]));
}
