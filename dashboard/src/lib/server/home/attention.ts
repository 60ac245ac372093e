import type { ApiKey } from '@tollgate/contracts/applications/application';
import { MAX_COUNTED_PAYMENTS } from '@tollgate/contracts/payments/counted-payments';
import { MANUAL_PROCESSOR, type ProcessorHealth } from '@tollgate/contracts/payments/processors';
import type { ApprovalRequest } from '@tollgate/contracts/payments/settlement-approval';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';
import { formatMoney } from '#lib/format/amount.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { formatTimeAgo } from '#lib/format/time.ts';
import type { AttentionItem } from '#lib/home/home-view.ts';
import { endpointState, needsAttention } from '#lib/webhooks/endpoint-state.ts';
import { shortenUrl } from '#lib/webhooks/shorten-url.ts';

type KeyFacts = Pick<ApiKey, 'id' | 'name' | 'application_id' | 'status' | 'expires_at'>;

export interface AttentionSources {
  environment: Environment;
  leakedKeys?: readonly KeyFacts[] | undefined;
  /** Active keys that expire soon. */
  expiringKeys?: readonly KeyFacts[] | undefined;
  endpoints?: readonly WebhookEndpoint[] | undefined;
  /** Open requests to settle payments. */
  approvals?: readonly ApprovalRequest[] | undefined;
  processors?: readonly ProcessorHealth[] | undefined;
  timeZone: string;
  nowMs: number;
}

/** What a member should act on. */
export function attentionItems(sources: AttentionSources): AttentionItem[] {
  const { environment, leakedKeys = [], expiringKeys = [] } = sources;
  const { endpoints = [], approvals = [], processors = [], timeZone, nowMs } = sources;
  const path = `/${environment}`;
  const ago = (at: string) => formatTimeAgo(at, nowMs, timeZone);
  return [
    ...leakedKeys.map((key) => leakedKey(key, path)),
    ...processors.flatMap((processor) => processorItems(processor, path)),
    ...endpoints.filter(needsAttention).map((endpoint) => failingEndpoint(endpoint, path)),
    ...approvals.map((request) => openApproval(request, path, ago)),
    ...expiringKeys.map((key) => expiringKey(key, path, ago)),
  ];
}

function leakedKey(key: KeyFacts, path: string): AttentionItem {
  const isActive = key.status === 'active';
  return {
    tone: isActive ? 'bad' : 'warn',
    title: `An API key was found in public: ${key.name}`,
    detail: isActive
      ? 'It still works. Revoke or rotate it.'
      : 'It no longer works. Remove it from that place.',
    href: keyPath(key, path),
  };
}

function expiringKey(key: KeyFacts, path: string, timeUntil: (at: string) => string): AttentionItem {
  return {
    tone: 'warn',
    title: `API key expires ${key.expires_at === null ? 'soon' : timeUntil(key.expires_at)}: ${key.name}`,
    detail: 'Rotate it before then.',
    href: keyPath(key, path),
  };
}

function keyPath({ id, application_id }: KeyFacts, path: string): string {
  return `${path}/applications/${application_id}/keys/${id}`;
}

function failingEndpoint(endpoint: WebhookEndpoint, path: string): AttentionItem {
  const state = endpointState(endpoint);
  const isDisabled = state === 'disabled';
  const details = {
    enabled: '',
    disabled: 'It receives no events.',
    failing: 'Deliveries fail and are retried.',
    paused: 'It cannot be reached. Deliveries wait.',
  };
  return {
    tone: isDisabled ? 'bad' : 'warn',
    title: `Webhook endpoint is ${isDisabled ? 'disabled' : 'failing'}: ${shortenUrl(endpoint.url)}`,
    detail: details[state],
    href: `${path}/webhooks/endpoints/${endpoint.id}`,
  };
}

function openApproval(request: ApprovalRequest, path: string, ago: (at: string) => string): AttentionItem {
  const { payment_id, amount, currency, requested_by, requested_at, expires_at } = request;
  return {
    tone: 'warn',
    title: `Settlement of ${formatMoney(amount, currency)} needs approval`,
    detail: `${requested_by.name} requested it ${ago(requested_at)}. The request expires ${ago(expires_at)}.`,
    href: `${path}/payments/${payment_id}`,
  };
}

function processorItems(processor: ProcessorHealth, path: string): AttentionItem[] {
  const { name, is_available, open_payments, stuck_payments, differing_payments } = processor;
  const items: (AttentionItem | false)[] = [
    !is_available && {
      tone: 'bad',
      title: `Processor ${name} is unavailable`,
      detail: 'Calls to it failed. Its payments wait.',
      href: `${path}/processors`,
    },
    stuck_payments > 0 && {
      tone: 'bad',
      title: `${paymentsOf(stuck_payments)} stuck in processing at ${name}`,
      detail: 'Check them at the processor.',
      href: `${path}/payments?status=processing`,
    },
    differing_payments > 0 && {
      tone: 'bad',
      title: `${paymentsOf(differing_payments)} reported differently by ${name}`,
      detail: 'Compare them, and record what was done.',
      href: `${path}/processors/${encodeURIComponent(name)}/reconciliation`,
    },
    name === MANUAL_PROCESSOR &&
      open_payments > 0 && {
        tone: 'warn',
        title: `${paymentsOf(open_payments)} to settle`,
        detail: 'A member records their outcome.',
        href: `${path}/payments?status=pending`,
      },
  ];
  return items.filter((item) => item !== false);
}

function paymentsOf(count: number): string {
  return count === MAX_COUNTED_PAYMENTS
    ? `${formatCount(count)} or more payments`
    : countOf(count, 'payment');
}
