import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { manualProcessor } from '../manual-processor.ts';
import { createRouter, type Route, type RoutedPayment } from './choose-processor.ts';

const [shop, other] = [newId('application'), newId('application')];
const named = (name: string) => ({ ...manualProcessor, name });
const processors = new Map(['sandbox', 'manual', 'stripe', 'mollie'].map((name) => [name, named(name)]));
const routes: Route[] = [
  { processor: 'stripe', environment: 'live', currencies: ['USD'] },
  { processor: 'mollie', environment: 'live', applications: [shop] },
  { processor: 'stripe', paymentMethodPrefix: 'pm_' },
];
const choose = createRouter(processors, routes, { live: 'manual', sandbox: 'sandbox' });
const payment: RoutedPayment = {
  environment: 'live',
  currency: 'EUR',
  application_id: other,
  payment_method: null,
};

it.each([
  ['the first route that matches', { currency: 'USD', application_id: shop }, 'stripe'],
  ['the route of its application', { application_id: shop }, 'mollie'],
  ['the route of its payment method', { payment_method: 'pm_1', environment: 'sandbox' as const }, 'stripe'],
  ['the default of live when no route matches', {}, 'manual'],
  ['the default of the sandbox when no route matches', { environment: 'sandbox' as const }, 'sandbox'],
  ['no route of a prefix in the middle', { payment_method: 'x_pm_1' }, 'manual'],
])('the processor of a new payment is that of %s', (_name, changes, name) => {
  expect(choose({ ...payment, ...changes }).name).toBe(name);
});
