import {
  IDEMPOTENCY_KEY_FORMAT,
  IDEMPOTENCY_KEY_HEADER,
  MAX_IDEMPOTENCY_KEY_HEADER_LENGTH,
} from '@tollgate/contracts/platform/headers';

/** The request header as a parameter. `effect` states what a repeated request returns. */
export function idempotencyKeyParameter(effect: string): object {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: `${IDEMPOTENCY_KEY_FORMAT}, with or without double quotes. The text of a missing value, such as \`null\`, is rejected. ${effect}`,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_IDEMPOTENCY_KEY_HEADER_LENGTH,
      pattern: IDEMPOTENCY_KEY_HEADER.source,
    },
    example: 'order-4711',
  };
}
