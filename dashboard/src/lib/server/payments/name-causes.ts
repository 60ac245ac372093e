import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentDetail, TimelineEntry } from '@tollgate/contracts/payments/payment-history';
import type { Role } from '@tollgate/contracts/platform/roles';
import { inWords } from '#lib/format/label-of.ts';
import { mayReadTokens } from '#lib/server/access.ts';
import { orNull } from '#lib/server/or-null.ts';
import { readKeys, readTokens } from '#lib/server/read-each.ts';
import type { TimelineStep } from './with-reversals.ts';

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
    readTokens(admin, mayOpenTokens ? idsOf('token') : []),
    readMembers(admin, idsOf('member')),
  ]);

  const nameOf = ({ type, id, address }: Cause): By => {
    switch (type) {
      case 'key': {
        const key = keys.get(id ?? '');
        const href = `/${environment}/applications/${application_id}/keys/${id}`;
        return by('key', key?.name ?? id ?? 'Unknown API key', href, key?.lookup_id);
      }
      case 'member':
        return by('member', members.get(id ?? '') ?? id ?? 'Unknown member', '/team', address);
      case 'token': {
        const href = mayOpenTokens ? `/team/tokens/${id}` : null;
        return by('token', tokens.get(id ?? '')?.name ?? id ?? 'Unknown API token', href, address);
      }
      case 'processor':
        return by('processor', id ?? 'Unknown processor');
      case 'expiry':
        return by('expiry', 'Not settled in time');
      case 'retention':
        return by('retention', 'End of the retention period');
      default:
        // A cause that only a later release knows.
        return by('other', id ?? inWords(type));
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

function by(kind: By['kind'], name: string, href: string | null = null, note: string | null = null): By {
  return { kind, name, href, note };
}

async function readMembers(admin: AdminClient, ids: Set<string>): Promise<Map<string, string>> {
  if (ids.size === 0) return new Map();
  const members = await orNull(admin.call(ADMIN_ROUTES.listMembers, {}));
  return new Map(members?.data.map(({ id, name }) => [id, name]));
}
