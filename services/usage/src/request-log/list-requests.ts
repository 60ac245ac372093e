import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import type { listRequests as contract } from '@tollgate/contracts/usage/rpc';
import { readAddress } from '@tollgate/security/read-address';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import type { Static } from 'typebox';
import type { RequestStore } from './request-store.ts';

type ListRequest = Static<typeof contract.request>;

/** Returns a page of the team's requests, newest first. @throws Problem `invalid-request` for a reversed range */
export async function listRequests(requests: RequestStore, actor: Actor, request: ListRequest) {
  const { environment, limit, cursor, created_from, created_to, client_address, ...search } = request;
  requireEnvironment(actor, environment);
  const [from, to] = [created_from, created_to].map((time) => (time === undefined ? null : new Date(time)));
  if (from && to && from >= to) throw reversedRange();
  const page = await requests.list({
    teamId: actor.team_id,
    environment,
    // The gateway records an address in its only form.
    search:
      client_address === undefined
        ? search
        : { ...search, client_address: readAddress(client_address) ?? client_address },
    from: from ?? null,
    to: to ?? null,
    ...parsePageRequest({ ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }),
  });
  return pageReply(page, (row: LoggedRequest) => row);
}

function reversedRange(): Problem {
  return new Problem('invalid-request', 'The period is empty.', {
    errors: [{ pointer: '/created_to', code: 'invalid', detail: 'Must be after created_from.' }],
  });
}
