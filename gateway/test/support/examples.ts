import type { Me, Member, Team } from '@tollgate/contracts/accounts/account';
import type { MemberActor, TokenActor } from '@tollgate/contracts/accounts/actor';
import type { ApiToken } from '@tollgate/contracts/accounts/api-token';
import type { Application } from '@tollgate/contracts/applications/application';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import { newId } from '@tollgate/contracts/platform/ids';
import type { UsageRow } from '@tollgate/contracts/usage/usage';
import type { DeliveryChange, WebhookEndpointChange } from '@tollgate/contracts/webhooks/live-changes';

const AT = '2026-01-01T00:00:00.000Z';
const LIMIT = { requests_per_second: 100, burst: 200 };

export function exampleApplication(fields: Partial<Application> = {}): Application {
  return {
    id: newId('application'),
    name: 'Shop',
    status: 'active',
    scopes: ['payment:read'],
    limits: { live: LIMIT, sandbox: LIMIT },
    labels: { env: 'prod' },
    require_idempotency_key: { live: true, sandbox: false },
    version: 7,
    created_at: AT,
    updated_at: AT,
    ...fields,
  };
}

export function examplePaymentRow(fields: Partial<PaymentRow> = {}): PaymentRow {
  return {
    id: newId('payment'),
    object: 'payment',
    environment: 'sandbox',
    amount: 1250,
    currency: 'EUR',
    purpose: null,
    reference: null,
    payer: null,
    payee: null,
    payment_method: null,
    status: 'pending',
    cancelable: true,
    version: 1,
    failure: null,
    cancellation_reason: null,
    created_at: AT,
    updated_at: AT,
    succeeded_at: null,
    failed_at: null,
    canceled_at: null,
    return_url: null,
    next_action: null,
    waiting_for: 'processor',
    processor_reference: null,
    cancellation_requested_at: null,
    erased_at: null,
    application_id: newId('application'),
    processor: 'sandbox',
    expires_at: AT,
    ...fields,
  };
}

export function exampleUsageRow(fields: Partial<UsageRow> = {}): UsageRow {
  return {
    at: AT,
    requests: 21,
    succeeded: 1,
    replayed: 2,
    client_errors: 3,
    rate_limited: 4,
    server_errors: 5,
    aborted: 6,
    p50_ms: 1.5,
    p95_ms: null,
    p99_ms: null,
    ...fields,
  };
}

export function examplePaymentEvent(
  fields: Partial<Pick<PaymentEvent, 'team_id' | 'environment'>> = {},
): PaymentEvent {
  const { application_id, ...payment } = examplePaymentRow();
  const environment = fields.environment ?? 'sandbox';
  return {
    id: newId('event'),
    type: 'payment.succeeded',
    occurred_at: AT,
    team_id: newId('team'),
    application_id,
    environment,
    cause: { type: 'processor', id: 'sandbox', address: null },
    request_id: null,
    data: { ...payment, environment, metadata: { cart: 'c-93' } },
    ...fields,
  };
}

export function exampleDeliveryChange(
  fields: Partial<Pick<DeliveryChange, 'team_id' | 'environment'>> = {},
): DeliveryChange {
  return {
    ...exampleEndpointChange(fields),
    delivery_id: newId('delivery'),
    event_id: newId('event'),
    payment_id: newId('payment'),
    status: 'pending',
    attempts: 1,
  };
}

export function exampleEndpointChange(
  fields: Partial<Pick<WebhookEndpointChange, 'team_id' | 'environment'>> = {},
): WebhookEndpointChange {
  return {
    team_id: newId('team'),
    environment: 'sandbox',
    application_id: newId('application'),
    endpoint_id: newId('webhookEndpoint'),
    ...fields,
  };
}

type Person = Pick<MemberActor, 'member_id' | 'role'>;

export function exampleMember({ member_id, role }: Person): Member {
  return {
    id: member_id,
    email: 'ada@example.com',
    name: 'Ada',
    role,
    totp_enabled: false,
    passkey_count: 0,
    is_installation_admin: false,
    created_at: AT,
  };
}

export function exampleMe(actor: Person & { team_id: string }): Me {
  return {
    ...exampleMember(actor),
    is_installation_admin: false,
    recovery_codes_left: 0,
    team_mail_topics: ['webhooks', 'credentials'],
    has_password: true,
    sso_required: false,
    team: exampleTeam(actor.team_id),
  };
}

export function exampleTeam(id: string): Team {
  return {
    id,
    name: 'Team',
    second_factor_required_from: null,
    version: 1,
    created_at: AT,
    updated_at: AT,
  };
}

export function exampleAuditRecord(): AuditRecord {
  const at = '2026-01-01T00:00:00.000Z';
  const team = newId('team');
  return {
    id: newId('audit'),
    seq: 1,
    occurred_at: at,
    recorded_at: at,
    team_id: team,
    environment: null,
    actor: { type: 'member', id: newId('member'), name: 'Ada', session_id: newId('session') },
    action: 'payments.exported',
    target: { type: 'payments', id: team, name: null },
    application_id: null,
    changes: {},
    context: { ip: null, user_agent: null, request_id: null },
  };
}

export function exampleApiToken(
  { token_id, name, role, environments }: TokenActor,
  actsFor: string | null = null,
): ApiToken {
  return {
    id: token_id,
    name,
    role,
    environments,
    allowed_cidrs: [],
    status: 'active',
    lookup_id: '7Gq2mZx4Rk9LbT1c',
    created_by: newId('member'),
    created_by_token: null,
    acts_for: actsFor,
    created_at: AT,
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
    rotated_to: null,
    leaked: null,
    version: 1,
  };
}
