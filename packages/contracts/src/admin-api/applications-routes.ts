import * as applications from '../applications/rpc.ts';
import { ROLE_BY_ENVIRONMENT } from '../platform/roles.ts';
import { route, routesOf } from './route.ts';

export const applicationRoutes = routesOf(applications, {
  listApplications: route('GET /applications', 'viewer', {
    summary: 'List applications, newest first; filters by part of the name, by label, and by status',
  }),
  createApplication: route('POST /applications', 'developer', {
    summary: 'Create an application',
    errors: ['conflict'],
  }),
  getApplication: route('GET /applications/:application_id', 'viewer', { summary: 'Read an application' }),
  renameApplication: route('PATCH /applications/:application_id', 'developer', {
    summary: 'Rename an application',
    errors: ['conflict'],
  }),
  setScopes: route('PUT /applications/:application_id/scopes', ROLE_BY_ENVIRONMENT, {
    summary: 'Replace the scopes of an application; takes effect within milliseconds',
    errors: ['conflict'],
  }),
  setLimits: route('PUT /applications/:application_id/limits', 'admin', {
    summary: 'Replace the rate limits of an application',
    errors: ['conflict'],
  }),
  setLabels: route('PUT /applications/:application_id/labels', 'developer', {
    summary: 'Replace the labels of an application',
  }),
  setIdempotencyKeyRequirement: route(
    'PUT /applications/:application_id/idempotency-key-requirement',
    ROLE_BY_ENVIRONMENT,
    {
      summary:
        'Set whether creating a payment requires an `Idempotency-Key`; takes effect within milliseconds',
    },
  ),
  archiveApplication: route('POST /applications/:application_id/archive', ROLE_BY_ENVIRONMENT, {
    summary: 'Archive an application: its keys stop working',
    errors: ['conflict'],
  }),
  restoreApplication: route('POST /applications/:application_id/restore', ROLE_BY_ENVIRONMENT, {
    summary: 'Restore an archived application: its keys work again',
    errors: ['conflict'],
  }),
  deleteApplication: route('DELETE /applications/:application_id', ROLE_BY_ENVIRONMENT, {
    summary:
      'Delete an archived application and its keys; from two minutes after its last change, and only without payments and webhook endpoints',
    errors: ['conflict'],
  }),
});

export const keyRoutes = routesOf(
  { ...applications, listTeamKeys: applications.listKeys },
  {
    listKeys: route('GET /applications/:application_id/keys', 'viewer', {
      summary: 'List the API keys of an application, newest first',
    }),
    listTeamKeys: route('GET /keys', 'viewer', {
      summary:
        'List the API keys of the team, newest first; filters by application, environment, status, part of the name, beginning of the lookup id, and leak',
      errors: ['not-found'],
    }),
    createKey: route('POST /applications/:application_id/keys', ROLE_BY_ENVIRONMENT, {
      summary: 'Create an API key; `secret` is returned once',
      errors: ['conflict', 'reauthentication-required'],
      status: 201,
    }),
    getKey: route('GET /keys/:key_id', 'viewer', { summary: 'Read an API key' }),
    updateKey: route('PATCH /keys/:key_id', ROLE_BY_ENVIRONMENT, {
      summary:
        'Change the name, expiry, networks, or scopes of an active API key; takes effect within milliseconds',
      errors: ['conflict'],
    }),
    rotateKey: route('POST /keys/:key_id/rotate', ROLE_BY_ENVIRONMENT, {
      summary: 'Rotate an API key; the old key works until the overlap ends, and `secret` is returned once',
      errors: ['conflict', 'reauthentication-required'],
      status: 201,
    }),
    revokeKey: route('POST /keys/:key_id/revoke', ROLE_BY_ENVIRONMENT, {
      summary: 'Revoke an API key permanently; takes effect within milliseconds',
      errors: ['conflict'],
    }),
    handleLeak: route('POST /keys/:key_id/handle-leak', ROLE_BY_ENVIRONMENT, {
      summary: 'Mark the leak of an API key as handled; a key that still works keeps working',
      errors: ['conflict'],
    }),
    getLeakedKeyPolicy: route('GET /leaked-key-policy', 'viewer', {
      summary: 'Read what happens to an API key that a secret scanner finds in public',
    }),
    setLeakedKeyPolicy: route('PUT /leaked-key-policy', 'admin', {
      summary: 'Set whether a leaked API key is revoked, or only flagged for members',
    }),
  },
);
