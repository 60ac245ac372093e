import {
  SECRET_SCANNING_HEADERS,
  SECRET_SCANNING_LIMITS,
  SECRET_SCANNING_PATH,
  SecretScanningAlerts,
  SecretScanningFeedback,
} from '@tollgate/contracts/applications/secret-scanning';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import Type from 'typebox';
import { errorResponses } from './openapi-errors.ts';
import { headerRef } from './openapi-headers.ts';
import type { DocumentSchemas } from './openapi-schemas.ts';

export const SECRET_SCANNING_TAG = {
  name: 'Secret scanning',
  description: 'For secret scanners such as that of GitHub.',
};

const ERRORS_OF_ALERTS = [
  'malformed-request',
  'invalid-request',
  'invalid-signature',
  'route-not-found',
  'not-acceptable',
  'content-too-large',
  'unsupported-media-type',
  'unsupported-transfer-encoding',
  'rate-limited',
  'internal',
  'upstream-error',
  'unavailable',
  'upstream-timeout',
] as const satisfies ErrorCode[];

const EXAMPLE_TOKEN = 'tg_live_7Gq2mZx4Rk9LbT1c_EXAMPLE';
const EXAMPLE_TYPE = 'tollgate_api_key';
const EXAMPLE_ALERTS = [
  {
    token: EXAMPLE_TOKEN,
    type: EXAMPLE_TYPE,
    url: 'https://github.com/example/shop/blob/main/config.yml',
    source: 'commit',
  },
];

/** The only operation without an API key. */
export function describeSecretScanning(schemas: DocumentSchemas): Record<string, object> {
  return {
    [SECRET_SCANNING_PATH]: {
      post: {
        operationId: 'reportLeakedCredentials',
        summary: 'Report leaked credentials',
        description:
          "Accepts alerts of GitHub's secret scanning partner program. An API key that was found is revoked or flagged, as its team chose. An API token is revoked. A repeated alert changes nothing. " +
          `A request has at most ${SECRET_SCANNING_LIMITS.alerts} alerts. It is signed with a key that the operator configured; without one, the operation does not exist. Accepts no query parameters.`,
        tags: [SECRET_SCANNING_TAG.name],
        security: [],
        parameters: [
          signatureHeader(
            SECRET_SCANNING_HEADERS.keyIdentifier,
            'Identifier of the key that signed the body.',
            'f9525bf080f75b3506ca1ead061add62b8633a346606dc5fe544e29231c6ee0d',
          ),
          signatureHeader(
            SECRET_SCANNING_HEADERS.signature,
            'ECDSA P-256 signature over the SHA-256 of the exact bytes of the body: base64 of DER.',
            'MEUCIQDfLvT8/zM8F1aB3cM0ZwyeWF1m5YR6IhcUIv1OKQYL0wIgBZ5lVXB3gHK+dT8+xt0WgRVLqvsTPFiDO9QP/7eJ4yE=',
          ),
        ],
        requestBody: {
          description: 'The credentials that were found.',
          required: true,
          content: {
            'application/json': { schema: schemas.request(SecretScanningAlerts), example: EXAMPLE_ALERTS },
          },
        },
        responses: {
          200: {
            description:
              'The alerts are processed. For each, whether it is about a credential of this installation.',
            headers: { 'X-Request-Id': headerRef('RequestId') },
            content: {
              'application/json': {
                schema: schemas.response(Type.Array(SecretScanningFeedback)),
                example: [{ token_raw: EXAMPLE_TOKEN, token_type: EXAMPLE_TYPE, label: 'false_positive' }],
              },
            },
          },
          ...errorResponses(ERRORS_OF_ALERTS, () => ({})),
        },
      },
    },
  };
}

function signatureHeader(name: string, description: string, example: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}
