import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { pagesOf } from '@tollgate/admin-client/pages';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { AUDIT_ACTIONS } from '@tollgate/contracts/audit/audit';
import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { isId } from '@tollgate/contracts/platform/ids';
import { credentialIn, type PublicPart } from '#lib/credentials/credential.ts';
import { formatMoney } from '#lib/format/amount.ts';
import { inWords } from '#lib/format/label-of.ts';
import { formatTime } from '#lib/format/time.ts';
import type { Hit } from '#lib/palette/commands.ts';
import { partyName } from '#lib/payments/party-name.ts';
import { orNull } from '#lib/server/or-null.ts';

interface Query {
  /** The one that is open in the browser. */
  environment: Environment;
  text: string;
  timeZone: string;
}

const MAX_HITS = 5;
const MAX_TOKENS = 100;
/** A page of a search may be empty, because its work is limited. */
const MAX_PAGES = 4;
const OTHER = { live: 'sandbox', sandbox: 'live' } as const;

/** What a text names, most likely first. The secret part of a key goes no further than here. */
export async function findRecords(admin: AdminClient, query: Query): Promise<Hit[]> {
  const { environment, text } = query;
  if (text === '') return [];
  const credential = credentialIn(text);
  if (credential !== null) return findCredential(admin, credential);
  const other = OTHER[environment];
  const found = await Promise.all([
    ...(isId('request', text.toLowerCase())
      ? [findRequest(admin, query), findAuditRecords(admin, query)]
      : []),
    findPayments(admin, { ...query, group: 'Payments' }),
    findPayments(admin, { ...query, environment: other, group: `Payments in ${other}` }),
  ]);
  return [...new Map(found.flat().map((hit) => [hit.goTo, hit])).values()];
}

async function findCredential(admin: AdminClient, { kind, lookupId }: PublicPart): Promise<Hit[]> {
  if (lookupId === '') return [];
  if (kind === 'admin') {
    const page = await orNull(admin.call(ADMIN_ROUTES.listTokens, { limit: MAX_TOKENS }));
    return (page?.data ?? [])
      .filter(({ lookup_id }) => lookup_id.startsWith(lookupId))
      .slice(0, MAX_HITS)
      .map(({ id, name, status, lookup_id }) =>
        hit('API tokens', `/team/tokens/${id}`, [name, `tg_admin_${lookup_id}_…`, status]),
      );
  }
  const request = { environment: kind, lookup_id: lookupId, limit: MAX_HITS };
  const page = await orNull(admin.call(ADMIN_ROUTES.listTeamKeys, request));
  return (page?.data ?? []).map(({ id, application_id, name, status, lookup_id }) =>
    hit('API keys', `/${kind}/applications/${application_id}/keys/${id}`, [
      name,
      `tg_${kind}_${lookup_id}_…`,
      status,
    ]),
  );
}

/** The request of the log, and its payment. */
async function findRequest(admin: AdminClient, query: Query): Promise<Hit[]> {
  const request_id = query.text.toLowerCase();
  const request = await orNull(admin.call(ADMIN_ROUTES.getRequest, { request_id }));
  if (request === null) return [];
  const { environment, operation, status, payment_id, created_at } = request;
  const what = [inWords(operation), String(status ?? 'aborted')];
  const at = formatTime(created_at, query.timeZone, 'second');
  const payment =
    payment_id === null
      ? null
      : await orNull(admin.call(ADMIN_ROUTES.listPayments, { environment, ids: payment_id }));
  return [
    hit('Requests', `/${environment}/requests/${request_id}`, [...what, environment, at]),
    ...(payment?.data ?? []).map((row) => paymentHit('Payments', environment, row, query.timeZone)),
  ];
}

/** Records of what an admin request changed. */
async function findAuditRecords(admin: AdminClient, { text, timeZone }: Query): Promise<Hit[]> {
  const page = await orNull(admin.call(ADMIN_ROUTES.listRecords, { search: text, limit: MAX_HITS }));
  return (page?.data ?? []).map(({ id, action, actor, occurred_at }) =>
    hit('Audit log', `/audit/${id}`, [
      AUDIT_ACTIONS[action] ?? action,
      actor.name,
      formatTime(occurred_at, timeZone, 'second'),
    ]),
  );
}

/** The newest payments that the search finds. */
async function findPayments(
  admin: AdminClient,
  { environment, text, group, timeZone }: Query & { group: string },
): Promise<Hit[]> {
  const request = { environment, search: text, limit: MAX_HITS };
  const rows = await orNull(firstRows(pagesOf(admin, ADMIN_ROUTES.listPayments, request, MAX_PAGES)));
  return (rows ?? []).map((row) => paymentHit(group, environment, row, timeZone));
}

async function firstRows<Row>(pages: AsyncIterable<{ data: Row[] }>): Promise<Row[]> {
  for await (const { data } of pages) if (data.length > 0) return data;
  return [];
}

function paymentHit(group: string, environment: Environment, payment: PaymentRow, timeZone: string): Hit {
  const { id, amount, currency, status, reference, payer, created_at } = payment;
  return hit(group, `/${environment}/payments/${id}`, [
    ...[formatMoney(amount, currency), reference, partyName(payer), inWords(status)],
    formatTime(created_at, timeZone),
  ]);
}

function hit(group: string, goTo: string, parts: (string | null)[]): Hit {
  return { group, goTo, label: parts.filter((part) => part !== null && part !== '').join(' · ') };
}
