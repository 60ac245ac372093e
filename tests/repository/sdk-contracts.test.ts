import type { WebhookBody } from '@tollgate/contracts/payments/event-types';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type * as contracts from '@tollgate/contracts/payments/payment';
import type { PaymentFailureCode } from '@tollgate/contracts/payments/payment-failure-code';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import type { FieldError } from '@tollgate/contracts/platform/problem';
import type { OPERATION_DOCS } from '@tollgate/gateway/docs/operation-docs';
import * as sdk from '@tollgate/sdk';
import { generateApiKey } from '@tollgate/security/api-key';
import { describe, expect, expectTypeOf, it } from 'vitest';

/** The literals of an enumeration, without the `string & {}` that opens it. */
type Literals<Text> = Text extends string ? (string extends Text ? never : Text) : never;
type ClosedText<Text> = [Text] extends [never]
  ? never
  : [Literals<Text>] extends [never]
    ? string
    : Literals<Text>;
type ClosedObject<T> = T extends object ? { [Key in keyof T]: Closed<T[Key]> } : T;
/** A type of the SDK with its open enumerations closed, as the contracts write them. */
type Closed<T> = ClosedText<Extract<T, string>> | ClosedObject<Exclude<T, string>>;
/** A failure can have any code, and the SDK knows those of this repository. */
type WithoutFailure<T extends { failure: unknown }> = Closed<Omit<T, 'failure'>>;
/** A body without the `undefined` that JSON omits. */
type AsJson<T> = T extends object ? { [Key in keyof T]: Exclude<AsJson<T[Key]>, undefined> } : T;

/** The compiler compares: a difference fails `npm run typecheck`. */
it('the types of the SDK are those of the contracts, with open enumerations of payments', () => {
  expectTypeOf<WithoutFailure<sdk.Payment>>().toEqualTypeOf<Omit<contracts.Payment, 'failure'>>();
  expectTypeOf<Literals<sdk.PaymentFailureCode>>().toEqualTypeOf<PaymentFailureCode>();
  expectTypeOf<contracts.Payment>().toExtend<sdk.Payment>();
  expectTypeOf<AsJson<sdk.CreatePaymentParams>>().toEqualTypeOf<contracts.CreatePaymentBody>();
  expectTypeOf<AsJson<sdk.CancelPaymentParams>>().toEqualTypeOf<contracts.CancelPaymentBody>();
  expectTypeOf<sdk.Environment>().toEqualTypeOf<Environment>();
  expectTypeOf<sdk.FieldError>().toEqualTypeOf<FieldError>();
});

it('the types of the SDK are those of the contracts, with open enumerations of webhooks', () => {
  expectTypeOf<sdk.KnownWebhookEvent['type']>().toEqualTypeOf<PaymentEventType>();
  expectTypeOf<WithoutFailure<sdk.WebhookEvent['data']>>().toEqualTypeOf<
    Omit<WebhookBody['data'], 'failure'>
  >();
  expectTypeOf<WebhookBody & { id: string }>().toExtend<sdk.WebhookEvent>();
});

it('the types of the SDK are those of the contracts, with open enumerations of errors', () => {
  type Operations = typeof OPERATION_DOCS;
  expectTypeOf<sdk.ApiErrorCode>().toEqualTypeOf<Operations[keyof Operations]['errors'][number]>();
});

it('the types of the SDK are those of the contracts, with open enumerations accept values of later releases in what they return', () => {
  expectTypeOf<'disputed'>().toExtend<sdk.Payment['status']>();
  expectTypeOf<'card_stolen'>().toExtend<sdk.PaymentFailure['code']>();
  expectTypeOf<'teapot'>().toExtend<sdk.TollgateError['code']>();
  expectTypeOf<'payment.disputed'>().toExtend<sdk.WebhookEvent['type']>();
  expectTypeOf<'bored'>().not.toExtend<sdk.CancelPaymentParams['cancellation_reason']>();
});

describe('the money helpers of the SDK', () => {
  it('know every currency of the API with its exponent, and no other three letters', () => {
    const known = new Map<string, number>();
    for (const code of everyCode()) {
      try {
        known.set(code, Math.log10(sdk.toMinorUnits('1', code)));
      } catch (error) {
        expect(error).toMatchObject({ code: 'unsupported-currency' });
      }
    }
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(CURRENCY_EXPONENTS));
  });
});

function* everyCode(): Generator<string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const first of letters) {
    for (const second of letters) for (const third of letters) yield first + second + third;
  }
}

it.each(ENVIRONMENTS)('the client reads %s from a key that the platform generates', (environment) => {
  const { credential: apiKey } = generateApiKey(environment);
  expect(new sdk.Tollgate({ apiKey, baseUrl: 'http://localhost:8080' }).environment).toBe(environment);
});
