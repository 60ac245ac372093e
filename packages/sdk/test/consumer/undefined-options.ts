// An application passes on options that it may not have. The test compiles this file, and does not run it.
import type {
  CancelPaymentParams,
  CreatePaymentParams,
  RequestOptions,
  TestWebhookEvent,
  TollgateOptions,
  WriteOptions,
} from '@tollgate/sdk';
import type { VerifyOptions } from '@tollgate/sdk/webhooks';

type OptionalKeys<T> = {
  [Key in keyof T]-?: Record<never, never> extends Pick<T, Key> ? Key : never;
}[keyof T];
/** Options with undefined as the value of every optional member. */
type Undefined<T> = Omit<T, OptionalKeys<T>> & Record<OptionalKeys<T>, undefined>;

export const accepted = {
  client: (options: Undefined<TollgateOptions>): TollgateOptions => options,
  read: (options: Undefined<RequestOptions>): RequestOptions => options,
  write: (options: Undefined<WriteOptions>): WriteOptions => options,
  create: (params: Undefined<CreatePaymentParams>): CreatePaymentParams => params,
  cancel: (params: Undefined<CancelPaymentParams>): CancelPaymentParams => params,
  verify: (options: Undefined<VerifyOptions>): VerifyOptions => options,
  event: (event: Undefined<TestWebhookEvent>): TestWebhookEvent => event,
};
