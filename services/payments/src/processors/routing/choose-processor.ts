import type { Environment } from '@tollgate/contracts/platform/environment';
import { type Processor, type Processors, processorNamed } from '../processor.ts';

/** What routes can select payments by. */
export interface RoutedPayment {
  environment: Environment;
  currency: string;
  application_id: string;
  payment_method: string | null;
}

/** One route of PROCESSORS_FILE. An absent condition matches every payment. */
export interface Route {
  processor: string;
  environment?: Environment;
  currencies?: readonly string[];
  applications?: readonly string[];
  /** The beginning of the payment method. A payment without a method does not match. */
  paymentMethodPrefix?: string;
}

/** The processor of a new payment, which keeps it permanently. */
export type ChooseProcessor = (payment: RoutedPayment) => Processor;

/** The first route that matches chooses, then the default of the environment. */
export function createRouter(
  processors: Processors,
  routes: readonly Route[],
  defaults: Record<Environment, string>,
): ChooseProcessor {
  return (payment) => {
    const route = routes.find((candidate) => matches(candidate, payment));
    return processorNamed(processors, route?.processor ?? defaults[payment.environment]);
  };
}

function matches(
  { environment, currencies, applications, paymentMethodPrefix }: Route,
  payment: RoutedPayment,
): boolean {
  return (
    (environment === undefined || environment === payment.environment) &&
    (currencies === undefined || currencies.includes(payment.currency)) &&
    (applications === undefined || applications.includes(payment.application_id)) &&
    (paymentMethodPrefix === undefined || payment.payment_method?.startsWith(paymentMethodPrefix) === true)
  );
}
