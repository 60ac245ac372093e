import { ROLE_BY_ENVIRONMENT } from '../roles.ts';
import * as applications from '../rpc/applications.ts';
import { route } from './route.ts';

export const applicationRoutes = {
  listApplications: route('GET', '/applications', applications.listApplications, {
    summary: 'List applications, newest first',
    access: 'viewer',
  }),
  createApplication: route('POST', '/applications', applications.createApplication, {
    summary: 'Create an application',
    access: 'developer',
    status: 201,
  }),
  getApplication: route('GET', '/applications/:application_id', applications.getApplication, {
    summary: 'Read an application',
    access: 'viewer',
  }),
  renameApplication: route('PATCH', '/applications/:application_id', applications.renameApplication, {
    summary: 'Rename an application',
    access: 'developer',
  }),
  setScopes: route('PUT', '/applications/:application_id/scopes', applications.setScopes, {
    summary: 'Replace the scopes of an application; takes effect within milliseconds',
    access: ROLE_BY_ENVIRONMENT,
  }),
  setLimits: route('PUT', '/applications/:application_id/limits', applications.setLimits, {
    summary: 'Replace the rate limits of an application',
    access: 'admin',
  }),
  archiveApplication: route(
    'POST',
    '/applications/:application_id/archive',
    applications.archiveApplication,
    {
      summary: 'Archive an application: its keys stop working',
      access: ROLE_BY_ENVIRONMENT,
    },
  ),
  restoreApplication: route(
    'POST',
    '/applications/:application_id/restore',
    applications.restoreApplication,
    {
      summary: 'Restore an archived application: its keys work again',
      access: ROLE_BY_ENVIRONMENT,
    },
  ),
};

export const keyRoutes = {
  listKeys: route('GET', '/applications/:application_id/keys', applications.listKeys, {
    summary: 'List the API keys of an application, newest first',
    access: 'viewer',
  }),
  createKey: route('POST', '/applications/:application_id/keys', applications.createKey, {
    summary: 'Create an API key; `secret` is returned once',
    access: ROLE_BY_ENVIRONMENT,
    status: 201,
  }),
  getKey: route('GET', '/keys/:key_id', applications.getKey, {
    summary: 'Read an API key',
    access: 'viewer',
  }),
  rotateKey: route('POST', '/keys/:key_id/rotate', applications.rotateKey, {
    summary: 'Rotate an API key; the old key works until the overlap ends, and `secret` is returned once',
    access: ROLE_BY_ENVIRONMENT,
    status: 201,
  }),
  revokeKey: route('POST', '/keys/:key_id/revoke', applications.revokeKey, {
    summary: 'Revoke an API key permanently; takes effect within milliseconds',
    access: ROLE_BY_ENVIRONMENT,
  }),
};
