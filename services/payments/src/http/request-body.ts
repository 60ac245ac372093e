import { CancelPaymentBody, CreatePaymentBody } from '@tollgate/contracts/payments/payment';
import { fieldErrors } from '@tollgate/contracts/platform/field-errors';
import { Problem } from '@tollgate/contracts/platform/problem';
import { type ContentHeaders, requireJson } from '@tollgate/http/json-content';
import { parseStrictJson } from '@tollgate/http/strict-json';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** Without the range of the amount, which has its own error code (`parsePayable`). */
const createSchema = Compile(
  Type.Object({ ...CreatePaymentBody.properties, amount: Type.Integer() }, { additionalProperties: false }),
);
const cancelSchema = Compile(CancelPaymentBody);

/** A request's body and the headers that determine how to parse it. */
export interface RawBody extends ContentHeaders {
  bytes: Uint8Array;
}

/** @throws Problem `unsupported-media-type`, `malformed-request` or `invalid-request` */
export function readCreateBody(raw: RawBody): CreatePaymentBody {
  return validated(createSchema, readJson(raw));
}

/** An absent body is `{}`. Throws what readCreateBody throws. */
export function readCancelBody(raw: RawBody): CancelPaymentBody {
  return raw.bytes.length === 0 ? {} : validated(cancelSchema, readJson(raw));
}

function readJson({ bytes, ...headers }: RawBody): unknown {
  // Checked before the type, which means nothing without a body and which a gateway forwards only with one.
  if (bytes.length === 0)
    throw new Problem('malformed-request', 'The body is empty. It must be a JSON object.');
  requireJson(headers);
  return parseStrictJson(bytes);
}

function validated<T extends TSchema>(schema: Validator<TProperties, T>, value: unknown): Static<T> {
  if (schema.Check(value)) return value;
  throw new Problem('invalid-request', 'The body is not valid. `errors` names each field.', {
    errors: fieldErrors(schema.Errors(value)),
  });
}
