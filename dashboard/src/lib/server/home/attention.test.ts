import type { ProcessorHealth } from '@tollgate/contracts/payments/processors';
import type { ApprovalRequest } from '@tollgate/contracts/payments/settlement-approval';
import type { WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';
import { expect, it } from 'vitest';
import { type AttentionSources, attentionItems } from './attention.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const key = {
  id: 'key_1',
  name: 'Shop',
  application_id: 'app_1',
  status: 'active',
  expires_at: null,
} as const;
const endpoint = {
  id: 'ep_1',
  url: 'https://example.com/hooks',
  status: 'enabled',
  paused_until: null,
  failing_since: null,
  disabled: null,
} as WebhookEndpoint;
const processor = {
  name: 'acme',
  is_available: true,
  open_payments: 3,
  stuck_payments: 0,
  differing_payments: 0,
} as ProcessorHealth;

const itemsOf = (sources: Partial<AttentionSources>) =>
  attentionItems({
    environment: 'live',
    timeZone: 'UTC',
    nowMs: NOW,
    ...sources,
  });

it('what needs attention is nothing while everything works', () => {
  expect(itemsOf({ endpoints: [endpoint], processors: [processor] })).toEqual([]);
});

it('what needs attention contains the settlements that wait for a second member', () => {
  const request = {
    payment_id: 'pay_1',
    amount: 123_456,
    currency: 'EUR',
    requested_by: { id: 'mem_1', name: 'Ada' },
    requested_at: '2026-11-26T11:00:00.000Z',
    expires_at: '2026-11-29T11:00:00.000Z',
  } as ApprovalRequest;
  expect(itemsOf({ approvals: [request] })).toMatchObject([
    {
      tone: 'warn',
      title: expect.stringMatching(/^Settlement of 1,234.56.EUR needs approval$/),
      detail: 'Ada requested it 1 h ago. The request expires in 2 days.',
      href: '/live/payments/pay_1',
    },
  ]);
});

it.each([
  [
    'a leaked key that works',
    { leakedKeys: [key] },
    ['bad', 'An API key was found in public: Shop', '/live/applications/app_1/keys/key_1'],
  ],
  [
    'a leaked key that no longer works',
    { leakedKeys: [{ ...key, status: 'revoked' }] },
    ['warn', 'An API key was found in public: Shop', '/live/applications/app_1/keys/key_1'],
  ],
  [
    'a key that expires soon',
    { expiringKeys: [{ ...key, expires_at: '2026-11-29T13:00:00.000Z' }] },
    ['warn', 'API key expires in 3 days: Shop', '/live/applications/app_1/keys/key_1'],
  ],
  [
    'a failing endpoint',
    { endpoints: [{ ...endpoint, failing_since: '2026-11-26T11:00:00.000Z' }] },
    ['warn', 'Webhook endpoint is failing: example.com/hooks', '/live/webhooks/endpoints/ep_1'],
  ],
  [
    'an endpoint that the platform has disabled',
    { endpoints: [{ ...endpoint, status: 'disabled', disabled: { by: 'gone' } }] },
    ['bad', 'Webhook endpoint is disabled: example.com/hooks', '/live/webhooks/endpoints/ep_1'],
  ],
  [
    'an unavailable processor',
    { processors: [{ ...processor, is_available: false }] },
    ['bad', 'Processor acme is unavailable', '/live/processors'],
  ],
  [
    'stuck payments',
    { processors: [{ ...processor, stuck_payments: 1 }] },
    ['bad', '1 payment stuck in processing at acme', '/live/payments?status=processing'],
  ],
  [
    'payments that the processor reports differently',
    { processors: [{ ...processor, differing_payments: 1_000 }] },
    ['bad', '1,000 or more payments reported differently by acme', '/live/processors/acme/reconciliation'],
  ],
  [
    'payments that wait for a member',
    { processors: [{ ...processor, name: 'manual' }] },
    ['warn', '3 payments to settle', '/live/payments?status=pending'],
  ],
] as const)('what needs attention includes %s, with the page to act on', (_, sources, expected) => {
  const items = itemsOf(sources as Partial<AttentionSources>);
  expect(items.map(({ tone, title, href }) => [tone, title, href])).toEqual([expected]);
});

it('what needs attention excludes an endpoint that a member has disabled', () => {
  const disabled = { ...endpoint, status: 'disabled', disabled: { by: 'member' } } as WebhookEndpoint;
  expect(itemsOf({ endpoints: [disabled] })).toEqual([]);
});
