import { EVENT_TYPES, type EventTypeDefinition } from '@tollgate/contracts/payments/event-types';
import type { DocumentSchemas } from './openapi-schemas.ts';

export const WEBHOOKS_TAG = {
  name: 'Webhooks',
  description:
    'Requests that Tollgate sends to the webhook endpoints of an application when a payment changes, in the format of [Standard Webhooks](https://www.standardwebhooks.com). Events may arrive more than once and in any order: ignore an id that you know, and order by `data.version`.',
};

/** Every event type as a request that a receiver gets. */
export function describeWebhooks(schemas: DocumentSchemas): Record<string, object> {
  return Object.fromEntries(
    EVENT_TYPES.map((definition) => [definition.type, { post: describeEvent(definition, schemas) }]),
  );
}

function describeEvent(
  { type, description, schema, example }: EventTypeDefinition,
  schemas: DocumentSchemas,
) {
  const name = type.split(/[._]/).map(capitalized).join('');
  return {
    operationId: `on${name}`,
    summary: `\`${type}\``,
    description: `${description} Return a 2xx within 15 seconds. A delivery without one is retried.`,
    tags: [WEBHOOKS_TAG.name],
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: {
      description: 'The event. Verify the signature over these exact bytes.',
      required: true,
      content: { 'application/json': { schema: schemas.namedResponse(`${name}Event`, schema), example } },
    },
    responses: {
      '2XX': { description: 'The event is delivered.' },
      410: { description: 'The endpoint no longer exists. Tollgate disables it.' },
    },
  };
}

const SIGNATURE_HEADERS = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the event, the same in every attempt.',
    schema: { type: 'string' },
    example: 'evt_01kf0fj3s0ec7s9q7v0h5x2m4q',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Time of this attempt, in seconds since the Unix epoch.',
    schema: { type: 'integer' },
    example: 1768469405,
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'One or more signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>` with the secret of the endpoint.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
