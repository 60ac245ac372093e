import { ERRORS, type ErrorCode } from '@tollgate/contracts/errors';
import Type from 'typebox';

const FieldErrorSchema = Type.Object({
  pointer: Type.Optional(Type.String({ description: 'RFC 6901 pointer into the body' })),
  header: Type.Optional(Type.String({ description: 'Name of the header' })),
  parameter: Type.Optional(Type.String({ description: 'Name of the parameter in query or path' })),
  code: Type.String(),
  detail: Type.String(),
});

/** `application/problem+json`, RFC 9457, as every error of the platform is answered. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Address of the page that explains the code' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What went wrong with this request' }),
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[], { description: 'Stable: decide by this member' }),
    request_id: Type.String({ description: 'Also in the X-Request-Id header' }),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later, unchanged' }),
    errors: Type.Optional(Type.Array(FieldErrorSchema)),
    required_scope: Type.Optional(Type.String({ description: 'With insufficient-scope only' })),
    payment_status: Type.Optional(Type.String({ description: 'With payment-not-cancelable only' })),
  },
  { additionalProperties: true },
);
