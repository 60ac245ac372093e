import * as applications from '../applications/rpc.ts';
import { ROLE_BY_ENVIRONMENT } from '../platform/roles.ts';
import { route } from './route.ts';

export const applicationRoutes = {
  listApplications: route('GET', '/applications', applications.listApplications, {
    summary: 'List applications, newest first; filters by part of the name, by label, and by status',
    access: 'viewer',
  }),
  createApplication: route('POST', '/applications', applications.createApplication, {
    summary: 'Create an application',
    access: 'developer',
    status: 201,
    errors: ['conflict'],
  }),
  getApplication: route('GET', '/applications/:application_id', applications.getApplication, {
    summary: 'Read an application',
    access: 'viewer',
  }),
  renameApplication: route('PATCH', '/applications/:application_id', applications.renameApplication, {
    summary: 'Rename an application',
    access: 'developer',
    errors: ['conflict'],
  }),
  setScopes: route('PUT', '/applications/:application_id/scopes', applications.setScopes, {
    summary: 'Replace the scopes of an application; takes effect within milliseconds',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  setLimits: route('PUT', '/applications/:application_id/limits', applications.setLimits, {
    summary: 'Replace the rate limits of an application',
    access: 'admin',
    errors: ['conflict'],
  }),
  setLabels: route('PUT', '/applications/:application_id/labels', applications.setLabels, {
    summary: 'Replace the labels of an application',
    access: 'developer',
  }),
  setIdempotencyKeyRequirement: route(
    'PUT',
    '/applications/:application_id/idempotency-key-requirement',
    applications.setIdempotencyKeyRequirement,
    {
      summary:
        'Set whether creating a payment requires an `Idempotency-Key`; takes effect within milliseconds',
      access: ROLE_BY_ENVIRONMENT,
    },
  ),
  archiveApplication: route(
    'POST',
    '/applications/:application_id/archive',
    applications.archiveApplication,
    {
      summary: 'Archive an application: its keys stop working',
      access: ROLE_BY_ENVIRONMENT,
      errors: ['conflict'],
    },
  ),
  restoreApplication: route(
    'POST',
    '/applications/:application_id/restore',
    applications.restoreApplication,
    {
      summary: 'Restore an archived application: its keys work again',
      access: ROLE_BY_ENVIRONMENT,
      errors: ['conflict'],
    },
  ),
  deleteApplication: route('DELETE', '/applications/:application_id', applications.deleteApplication, {
    summary:
      'Delete an archived application and its keys; from two minutes after its last change, and only without payments and webhook endpoints',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
    status: 204,
  }),
};

export const keyRoutes = {
  listKeys: route('GET', '/applications/:application_id/keys', applications.listKeys, {
    summary: 'List the API keys of an application, newest first',
    access: 'viewer',
  }),
  listTeamKeys: route('GET', '/keys', applications.listKeys, {
    summary:
      'List the API keys of the team, newest first; filters by application, environment, status, part of the name, and leak',
    access: 'viewer',
    errors: ['not-found'],
  }),
  createKey: route('POST', '/applications/:application_id/keys', applications.createKey, {
    summary: 'Create an API key; `secret` is returned once',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict', 'reauthentication-required'],
    status: 201,
  }),
  getKey: route('GET', '/keys/:key_id', applications.getKey, {
    summary: 'Read an API key',
    access: 'viewer',
  }),
  updateKey: route('PATCH', '/keys/:key_id', applications.updateKey, {
    summary:
      'Change the name, expiry, networks, or scopes of an active API key; takes effect within milliseconds',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  rotateKey: route('POST', '/keys/:key_id/rotate', applications.rotateKey, {
    summary: 'Rotate an API key; the old key works until the overlap ends, and `secret` is returned once',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict', 'reauthentication-required'],
    status: 201,
  }),
  revokeKey: route('POST', '/keys/:key_id/revoke', applications.revokeKey, {
    summary: 'Revoke an API key permanently; takes effect within milliseconds',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  handleLeak: route('POST', '/keys/:key_id/handle-leak', applications.handleLeak, {
    summary: 'Mark the leak of an API key as handled; a key that still works keeps working',
    access: ROLE_BY_ENVIRONMENT,
    errors: ['conflict'],
  }),
  getLeakedKeyPolicy: route('GET', '/leaked-key-policy', applications.getLeakedKeyPolicy, {
    summary: 'Read what happens to an API key that a secret scanner finds in public',
    access: 'viewer',
  }),
  setLeakedKeyPolicy: route('PUT', '/leaked-key-policy', applications.setLeakedKeyPolicy, {
    summary: 'Set whether a leaked API key is revoked, or only flagged for members',
    access: 'admin',
  }),
};
