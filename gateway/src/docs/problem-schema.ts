import { ERRORS, type ErrorCode } from '@tollgate/contracts/errors';
import Type from 'typebox';

const FieldErrorSchema = Type.Object({
  pointer: Type.Optional(Type.String({ description: 'RFC 6901 pointer into the body' })),
  header: Type.Optional(Type.String({ description: 'Name of the header' })),
  parameter: Type.Optional(Type.String({ description: 'Name of the query or path parameter' })),
  code: Type.String(),
  detail: Type.String(),
});

/** `application/problem+json` (RFC 9457), the format of every error. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'URL of the page about this error code' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'Description of this occurrence' }),
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[], {
      description: 'Stable error code; branch on this field',
    }),
    request_id: Type.String({ description: 'Also in the X-Request-Id header' }),
    retryable: Type.Boolean({
      description: 'Whether this request may be repeated unchanged without a second effect',
    }),
    errors: Type.Optional(Type.Array(FieldErrorSchema)),
    required_scope: Type.Optional(Type.String({ description: 'Only with `insufficient-scope`' })),
    payment_status: Type.Optional(Type.String({ description: 'Only with `payment-not-cancelable`' })),
  },
  { additionalProperties: true },
);
