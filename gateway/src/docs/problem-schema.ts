import { SECOND_FACTORS } from '@tollgate/contracts/accounts/passkey';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import Type from 'typebox';

/** One invalid part of a request. */
export const FieldErrorSchema = Type.Object({
  pointer: Type.Optional(Type.String({ description: 'RFC 6901 pointer into the body' })),
  header: Type.Optional(Type.String({ description: 'Name of the header' })),
  parameter: Type.Optional(Type.String({ description: 'Name of the query or path parameter' })),
  code: Type.String({ description: 'What is wrong, such as `missing`, `unknown`, or `invalid`' }),
  detail: Type.String({ description: 'What is wrong, for people' }),
});

/** Members of single codes. */
const EXTENSIONS = {
  'insufficient-scope': {
    required_scope: Type.Optional(Type.String({ description: 'Only with `insufficient-scope`' })),
  },
  'payment-not-cancelable': {
    payment_status: Type.Optional(Type.String({ description: 'Only with `payment-not-cancelable`' })),
  },
  'second-factor-required': {
    factors: Type.Optional(
      Type.Array(Type.Enum([...SECOND_FACTORS]), {
        description:
          'Only with `second-factor-required`: the factors of the member, one of which is required',
      }),
    ),
  },
};

/** `application/problem+json` (RFC 9457), the format of every error, with one of these codes. */
export function problemSchema(codes: readonly ErrorCode[]) {
  return Type.Object(
    {
      type: Type.String({ format: 'uri', description: 'URL of the page about this error code' }),
      title: Type.String({ description: 'Short summary of the error code, for people' }),
      status: Type.Integer({ minimum: 400, maximum: 599, description: 'Status of the response' }),
      detail: Type.String({ description: 'Description of this occurrence, for people' }),
      code: Type.Enum([...codes], { description: 'Stable error code; branch on this field' }),
      request_id: Type.String({ description: 'Also in the X-Request-Id header' }),
      retryable: Type.Boolean({
        description: 'Whether this request may be repeated unchanged without a second effect',
      }),
      errors: Type.Optional(
        Type.Array(FieldErrorSchema, { description: 'The invalid parts of the request' }),
      ),
      ...(codes.includes('insufficient-scope') && EXTENSIONS['insufficient-scope']),
      ...(codes.includes('payment-not-cancelable') && EXTENSIONS['payment-not-cancelable']),
      ...(codes.includes('second-factor-required') && EXTENSIONS['second-factor-required']),
    },
    { additionalProperties: true },
  );
}
