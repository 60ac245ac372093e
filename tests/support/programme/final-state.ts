import { parsePublicKey } from '@tollgate/audit-log/keys';
import { verifyExport } from '@tollgate/audit-log/verify-export';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { queryUsage } from '@tollgate/contracts/usage/rpc';
import type { DeliveryStatus } from '@tollgate/contracts/webhooks/webhook';
import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';
import { storedEvents } from '../platform/stored-events.ts';
import type { TestTeam } from '../platform/test-team.ts';
import type { AuditLog, History, StoredDelivery } from './history.ts';
import type { World } from './world.ts';

type FinalState = Pick<History, 'events' | 'deliveries' | 'auditLogs' | 'usage' | 'leftovers'>;

/** Reads what the platform has stored. */
export async function readFinalState(world: World): Promise<FinalState> {
  const teams = [...new Set(world.integrations.map(({ team }) => team))];
  const usage = await Promise.all(teams.map(usageByKey));
  const auditLogs = await Promise.all(teams.map((team) => readAuditLog(world, team)));
  return {
    events: await everyEvent(world),
    deliveries: await everyDelivery(world),
    auditLogs,
    usage: new Map(usage.flat()),
    leftovers: await findLeftovers(world, auditLogs),
  };
}

export async function everyEvent({ platform, since }: World): Promise<PaymentEvent[]> {
  const events = await storedEvents(platform.call, since);
  // A payment that changes during the read is read twice.
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

interface DeliveryFields {
  event_id: string;
  endpoint_id: string;
  team_id: string;
  status: DeliveryStatus;
  attempts: { number: number; error: { code: string; detail: string } | null }[];
}

async function everyDelivery({ platform }: World): Promise<StoredDelivery[]> {
  const documents = await withStoredDocuments(platform.infra.mongodbUrl, DATABASES.webhooks, (stored) =>
    stored.list('deliveries'),
  );
  return documents.map((document) => {
    const { event_id, endpoint_id, team_id, status, attempts } = document as unknown as DeliveryFields;
    const error = attempts.at(-1)?.error ?? null;
    return {
      eventId: event_id,
      endpointId: endpoint_id,
      teamId: team_id,
      status,
      attempts: attempts.map(({ number }) => number),
      error: error && `${error.code}: ${error.detail}`,
    };
  });
}

async function readAuditLog({ platform }: World, team: TestTeam): Promise<AuditLog> {
  const owner = platform.admin.as(team.owner.session);
  const period = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
  const response = await owner.fetch(`${AUDIT_EXPORT_PATH}?${period}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`The audit log was not exported: ${text}`);
  const lines = text.split('\n').filter((line) => line !== '');
  const { body } = await owner.call(ADMIN_ROUTES.listPublicKeys, {});
  const publicKeys = body.data.map(({ public_key, version }) => parsePublicKey(public_key, version));
  const { findings } = await verifyExport(inTurn(lines), { publicKeys, everySeal: true });
  return {
    teamId: team.id,
    records: lines.flatMap((line) => {
      const { type, record } = JSON.parse(line) as { type: string; record?: AuditRecord };
      return type === 'record' && record ? [record] : [];
    }),
    findings: findings.map(({ code, detail }) => `${code}: ${detail}`),
  };
}

async function* inTurn(lines: string[]): AsyncGenerator<string, void, undefined> {
  yield* lines;
}

/** The team's requests from yesterday to tomorrow. */
async function usageByKey({ owner }: TestTeam): Promise<[keyId: string, requests: number][]> {
  const counted = new Map<string, number>();
  let cursor: string | null | undefined;
  do {
    const page = await owner.call(queryUsage, {
      from: new Date(Date.now() - DAY_MS).toISOString(),
      to: new Date(Date.now() + DAY_MS).toISOString(),
      granularity: 'day',
      group_by: 'key',
      ...(cursor ? { cursor } : {}),
    });
    for (const { key_id = '', requests } of page.data)
      counted.set(key_id, (counted.get(key_id) ?? 0) + requests);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return [...counted];
}

/** Where services write audit entries that are not published yet. */
const OUTBOXES: [database: keyof typeof DATABASES, collection: string][] = [
  ['accounts', 'teams'],
  ['accounts', 'members'],
  ['applications', 'applications'],
  ['applications', 'api_keys'],
  ['webhooks', 'endpoints'],
  ['webhooks', 'deliveries'],
];

async function findLeftovers({ platform }: World, auditLogs: AuditLog[]): Promise<string[]> {
  const list = (database: keyof typeof DATABASES, collection: string) =>
    withStoredDocuments(platform.infra.mongodbUrl, DATABASES[database], (stored) => stored.list(collection));
  const now = Date.now();
  const found: string[] = [];
  for (const { _id, settlement, history } of await list('payments', 'payments')) {
    if (settlement.due_at !== undefined) found.push(`${_id} is due at ${settlement.due_at.toISOString()}`);
    for (const { type, published_at } of history) {
      if (published_at === null) found.push(`${type} of ${_id} is not published`);
    }
  }
  for (const { _id, turn } of await list('webhooks', 'endpoints')) {
    if (turn && turn.until.getTime() > now) found.push(`${_id} is leased until ${turn.until.toISOString()}`);
  }
  for (const { _id, next_attempt_at } of await list('webhooks', 'deliveries')) {
    if (next_attempt_at) found.push(`${_id} is due at ${next_attempt_at.toISOString()}`);
  }
  const recorded = new Set(auditLogs.flatMap(({ records }) => records.map(({ id }) => id)));
  for (const [database, collection] of OUTBOXES) {
    for (const { _id, outbox = [] } of await list(database, collection)) {
      for (const { id, action } of outbox as AuditRecord[]) {
        const state = recorded.has(id) ? 'although it is recorded' : 'and is not recorded';
        found.push(`${action} is in the outbox of ${_id}, ${state}`);
      }
    }
  }
  return found;
}
