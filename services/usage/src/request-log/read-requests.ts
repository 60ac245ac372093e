import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import type { listRequests as contract } from '@tollgate/contracts/usage/rpc';
import { idempotencyDigest, isIdempotencyDigest } from '@tollgate/security/idempotency-digest';
import { readAddress } from '@tollgate/security/read-address';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { pageReply, parsePageRequest } from '@tollgate/store/keyset-page';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { requestToWire } from './request-store.ts';

/** Returns a page of the team's requests, newest first. @throws Problem `invalid-request` for a reversed range */
export async function listRequests(
  { requests }: Context,
  actor: Actor,
  request: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  const { client_address, idempotency_key: key, created_from, created_to } = request;
  requireEnvironment(actor, request.environment);
  if (created_from && created_to && Date.parse(created_from) >= Date.parse(created_to)) {
    throw new Problem('invalid-request', 'The period is empty.', {
      errors: [{ pointer: '/created_to', code: 'invalid', detail: 'Must be after created_from.' }],
    });
  }
  // The gateway records an address in its only form.
  const address = client_address && (readAddress(client_address) ?? client_address);
  const digest = key && (isIdempotencyDigest(key) ? key : idempotencyDigest(actor.team_id, key));
  const search = {
    ...request,
    ...(address && { client_address: address }),
    ...(digest && { idempotency_key_digest: digest }),
  };
  return pageReply(await requests.list(actor.team_id, search, parsePageRequest(request)), requestToWire);
}

export async function findRequest({ requests }: Context, actor: Actor, id: string): Promise<LoggedRequest> {
  const request = await requests.find(actor.team_id, id);
  if (!request)
    throw new Problem('not-found', `Your team has no request ${id}, or it is not stored any more.`);
  requireEnvironment(actor, request.environment);
  return requestToWire(request);
}
