import { expect, it } from 'vitest';
import { inEnvironment, isInSection } from './sections.ts';

const home = { label: 'Home', icon: null as never, href: '/live' };
const payments = { label: 'Payments', icon: null as never, href: '/live/payments' };
const team = { label: 'Team', icon: null as never, href: '/team' };

it('the navigation marks the section that contains the page, and home only for itself', () => {
  expect(isInSection('/live', home)).toBe(true);
  expect(isInSection('/live/payments', home)).toBe(false);
  expect(isInSection('/live/payments/pay_1', payments)).toBe(true);
  expect(isInSection('/live/payments-x', payments)).toBe(false);
  expect(isInSection('/team/members', team)).toBe(true);
});

it.each([
  ['/live', '/sandbox'],
  ['/live/payments', '/sandbox/payments'],
  ['/live/payments/pay_1', '/sandbox/payments'],
  ['/live/applications/app_1', '/sandbox/applications/app_1'],
  ['/live/applications/app_1/keys/new', '/sandbox/applications/app_1'],
  ['/live/applications/new', '/sandbox/applications'],
  ['/live/webhooks', '/sandbox/webhooks'],
  ['/live/webhooks/deliveries', '/sandbox/webhooks/deliveries'],
  ['/live/webhooks/deliveries/dlv_1', '/sandbox/webhooks/deliveries'],
  ['/live/webhooks/endpoints/we_1', '/sandbox/webhooks'],
  ['/live/usage', '/sandbox/usage'],
  ['/team', '/sandbox'],
])('the navigation leads from %s to %s when the environment is switched', (from, to) => {
  expect(inEnvironment(from, 'sandbox')).toBe(to);
});
