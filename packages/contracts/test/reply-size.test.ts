import { expect, it } from 'vitest';
import { RECOVERY_CODES } from '../src/accounts/account.ts';
import { API_TOKEN_LIMITS } from '../src/accounts/api-token.ts';
import { NOTICE_TOPICS } from '../src/accounts/notice-topics.ts';
import * as accounts from '../src/accounts/rpc/methods.ts';
import { SINGLE_SIGN_ON_LIMITS } from '../src/accounts/single-sign-on.ts';
import { TEAM_CHAT_LIMITS } from '../src/accounts/team-chat.ts';
import { APPLICATION_LIMITS } from '../src/applications/application.ts';
import { LEAK_LIMITS } from '../src/applications/leak.ts';
import * as applications from '../src/applications/rpc.ts';
import { SCOPE_NAMES } from '../src/applications/scopes.ts';
import * as audit from '../src/audit/rpc.ts';
import { EVENT_TYPES } from '../src/payments/event-types.ts';
import { PAYMENT_EVENT_TYPES } from '../src/payments/events.ts';
import { PAYMENT_STATUSES } from '../src/payments/payment.ts';
import { PROCESSOR_LIMITS } from '../src/payments/processors.ts';
import * as payments from '../src/payments/rpc.ts';
import { APPROVAL_LIMITS } from '../src/payments/settlement-approval.ts';
import { ACCOUNT_LIMITS } from '../src/platform/account-limits.ts';
import { ENVIRONMENTS } from '../src/platform/environment.ts';
import type { JsonSchema } from '../src/platform/json-schema.ts';
import { MAX_PAGE_SIZE } from '../src/platform/page.ts';
import { MAX_REPLY_BYTES, type RpcContract, rpcSubject } from '../src/platform/rpc-contract.ts';
import * as usage from '../src/usage/rpc.ts';
import * as webhooks from '../src/webhooks/rpc.ts';
import { SIGNATURE_FINDINGS, WEBHOOK_LIMITS } from '../src/webhooks/webhook.ts';

/** Replies whose service counts the bytes of the rows: `@tollgate/store/page-budget`. */
const CUT_BY_BYTES: readonly RpcContract[] = [
  accounts.listTokens,
  applications.listApplications,
  applications.listKeys,
  audit.listRecords,
  audit.startVerification,
  audit.getVerification,
  audit.latestVerification,
  payments.listPayments,
  payments.getReconciliation,
  payments.eventsSince,
  usage.queryUsage,
  usage.listRequests,
  webhooks.listEndpoints,
  webhooks.listDeliveries,
  webhooks.listEvents,
  webhooks.getDelivery,
  webhooks.getEvent,
];

/** The most rows of an array of any other reply, by subject, or for all replies by the name of the field. */
const MAX_ITEMS: Record<string, number> = {
  allowed_cidrs: API_TOKEN_LIMITS.cidrsPerToken,
  environments: ENVIRONMENTS.length,
  event_types: PAYMENT_EVENT_TYPES.length,
  findings: SIGNATURE_FINDINGS.length,
  recovery_codes: RECOVERY_CODES,
  scopes: SCOPE_NAMES.length,
  'rpc.accounts.list_members data': ACCOUNT_LIMITS.membersPerTeam,
  'rpc.accounts.list_invitations data': ACCOUNT_LIMITS.invitationsPerTeam,
  'rpc.payments.processor_calls data': PROCESSOR_LIMITS.storedCalls,
  // The built-in ones as well.
  'rpc.payments.processors data': PROCESSOR_LIMITS.adapters + 2,
  'rpc.accounts.list_passkeys data': ACCOUNT_LIMITS.passkeysPerMember,
  // More than there are actions that members are notified of.
  // MAX_LISTED of the session store.
  'rpc.accounts.list_sessions data': 100,
  'rpc.accounts.list_device_authorizations data': API_TOKEN_LIMITS.activeLoginTokensPerMember,
  'rpc.audit.list_heads data': 100,
  // Versions of a signing key, each configured by an operator.
  'rpc.audit.public_keys data': 100,
  stored: Math.max(audit.MAX_CONFIRMED_RECORDS, usage.MAX_CONFIRMED_WINDOWS),
  rejected: audit.MAX_CONFIRMED_RECORDS,
  // MAX_VERSIONS of payments, and the changes that end the payment.
  'rpc.payments.timeline data': 55,
  // MAX_REVERSALS of payments.
  reversals: 100,
  'rpc.payments.approval_requests data': MAX_PAGE_SIZE,
  thresholds: APPROVAL_LIMITS.thresholds,
  topics: NOTICE_TOPICS.length,
  team_mail_topics: NOTICE_TOPICS.length,
  'rpc.payments.totals data': PAYMENT_STATUSES.length,
  domains: SINGLE_SIGN_ON_LIMITS.domainsPerTeam,
  role_rules: SINGLE_SIGN_ON_LIMITS.roleRules,
  // ISO 4217 has fewer.
  amounts: 300,
  currencies: 300,
  // Days of the longest period.
  buckets: 30,
  groups: 100,
  resent: WEBHOOK_LIMITS.resentAtOnce,
  not_resent: WEBHOOK_LIMITS.resentAtOnce,
  // MAX_KEYS of the store of key uses.
  'rpc.usage.last_used data': 2_000,
};

/** The most characters of a text whose schema has no limit, because readers are open. */
const MAX_LENGTH: Record<string, number> = {
  name: ACCOUNT_LIMITS.name,
  // The subject of an email, which may contain the name of the team.
  subject: ACCOUNT_LIMITS.name + 128,
  host: TEAM_CHAT_LIMITS.url,
  last_four: 4,
  email: ACCOUNT_LIMITS.email,
  address: 64,
  client_address: 64,
  method: 8,
  path: 128,
  idempotency_key_digest: 64,
  user_code: 16,
  client_name: API_TOKEN_LIMITS.name,
  user_agent: ACCOUNT_LIMITS.userAgent,
  allowed_cidrs: 64,
  recovery_codes: 64,
  actor_token: 8_192,
  issuer: SINGLE_SIGN_ON_LIMITS.issuer,
  client_id: SINGLE_SIGN_ON_LIMITS.clientId,
  // The address of the dashboard, and the id of the team.
  redirect_uri: 512,
  domain: SINGLE_SIGN_ON_LIMITS.domain,
  record_name: SINGLE_SIGN_ON_LIMITS.domain + 16,
  record_value: 128,
  role_claim: SINGLE_SIGN_ON_LIMITS.claim,
  value: SINGLE_SIGN_ON_LIMITS.claimValue,
  lookup_id: 16,
  secret: 128,
  token: 128,
  revocation_reason: 255,
  reason: WEBHOOK_LIMITS.disableReason,
  // A URL is stored with its characters escaped, up to 12 for one.
  url: 12 * WEBHOOK_LIMITS.url,
  description: WEBHOOK_LIMITS.description,
  detail: 4_096,
  id: 64,
  request_id: 64,
  currency: 3,
  // The code and the message of a failure, as members and adapters may report them.
  code: 64,
  message: 255,
  next_cursor: 512,
  previous_cursor: 512,
  public_key: 512,
  source: LEAK_LIMITS.source,
};

/** Fields that the service limits as a whole. `record` is an audit entry: MAX_ENTRY_BYTES of the audit service. */
const MAX_BYTES: Record<string, number> = {
  record: 128 * 1024,
  // Options of WebAuthn: the ids of ten passkeys, each at most 1,364 characters, and little else.
  options: 32 * 1024,
  labels: 20 * (40 + 6 * 100 + 6),
  statuses: 1_024,
};

const BYTES_PER_CHARACTER = 6;
const MAX_NUMBER_BYTES = 24;
const MAX_TIME_BYTES = 40;
/** A later release may write a longer value of an enumeration. */
const MAX_ENUM_BYTES = 80;
const MAX_PATTERN_BYTES = 128;

interface Schema extends JsonSchema {
  const?: unknown;
  pattern?: string;
  format?: string;
  maxLength?: number;
  maxItems?: number;
}

/** The size of the largest value of a schema as JSON. Throws for a field without a known limit. */
function maxBytes(schema: Schema, subject: string, field = ''): number {
  if (MAX_BYTES[field] !== undefined) return MAX_BYTES[field];
  if (schema.const !== undefined || schema.enum) return MAX_ENUM_BYTES;
  if (schema.anyOf) return Math.max(...schema.anyOf.map((branch) => maxBytes(branch, subject, field)));
  switch (schema.type) {
    case 'object': {
      if (schema.patternProperties) break;
      const fields = Object.entries(schema.properties ?? {});
      const sizes = fields.map(([name, inner]) => name.length + 4 + maxBytes(inner, subject, name));
      return sizes.reduce((sum, size) => sum + size, 2);
    }
    case 'array': {
      const items = MAX_ITEMS[`${subject} ${field}`] ?? schema.maxItems ?? MAX_ITEMS[field];
      if (items === undefined) break;
      return 2 + items * (1 + maxBytes(schema.items as Schema, subject, field));
    }
    case 'string': {
      if (schema.format === 'date-time') return MAX_TIME_BYTES;
      if (schema.pattern !== undefined) return MAX_PATTERN_BYTES;
      const length = schema.maxLength ?? MAX_LENGTH[field];
      if (length === undefined) break;
      return 2 + length * BYTES_PER_CHARACTER;
    }
    case 'boolean':
    case 'null':
      return 5;
    case 'integer':
    case 'number':
      return MAX_NUMBER_BYTES;
  }
  throw new Error(`${subject}: the size of ${field || 'the reply'} is not limited. Cut the reply by bytes.`);
}

function hasArray(schema: Schema): boolean {
  const children = [schema.anyOf ?? [], Object.values(schema.properties ?? {})].flat() as Schema[];
  return schema.type === 'array' || children.some(hasArray);
}

const contracts: RpcContract[] = [accounts, applications, audit, payments, usage, webhooks].flatMap(
  (module) =>
    Object.values(module).filter(
      (value): value is RpcContract => typeof value === 'object' && 'method' in value,
    ),
);
const lists = contracts.filter(({ reply }) => hasArray(reply as Schema));
const bounded = lists.filter(
  (contract) => !CUT_BY_BYTES.includes(contract) && contract !== webhooks.listEventTypes,
);

it.each(bounded.map((contract) => ({ subject: rpcSubject(contract), contract })))(
  'a reply with a list of $subject fits, with every field at its limit',
  ({ subject, contract }) => {
    expect(maxBytes(contract.reply as Schema, subject)).toBeLessThan(MAX_REPLY_BYTES);
  },
);

it('a reply with a list is cut by bytes only where a contract has a list', () => {
  expect(CUT_BY_BYTES.filter((contract) => !lists.includes(contract)).map(rpcSubject)).toEqual([]);
});

it('a reply with a list of event types is constant and fits', () => {
  expect(Buffer.byteLength(JSON.stringify(EVENT_TYPES))).toBeLessThan(MAX_REPLY_BYTES / 2);
});

it('a reply with a list of API keys has no more networks than the limits of this test', () => {
  expect(APPLICATION_LIMITS.cidrsPerKey).toBeLessThanOrEqual(MAX_ITEMS['allowed_cidrs'] ?? 0);
});
