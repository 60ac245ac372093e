import { runAdapter } from '@tollgate/processor-adapter/run-adapter';
import { readStripeConfig, stripeVariables } from './config.ts';
import { createStripeAdapter } from './stripe-adapter.ts';

await runAdapter((env) => createStripeAdapter(readStripeConfig(env)), stripeVariables);
