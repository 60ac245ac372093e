import type * as contract from '@tollgate/contracts/applications/application';
import { jsonOf } from '@tollgate/store/json-of';
import { type Application, labelsOf } from './applications/application.ts';
import { type ApiKey, statusOf } from './keys/api-key.ts';
import type { KeyWithSecret } from './keys/credential.ts';

// Records in the form of the contracts, which name the fields that a reply has.

export function applicationToWire({ _id, labels, ...application }: Application): contract.Application {
  return { ...jsonOf(application), id: _id, labels: labelsOf(labels) };
}

export function apiKeyToWire(key: ApiKey, now: Date): contract.ApiKey {
  const { _id, leak, digest: _, pepper_version: __, successor: ___, ...shown } = key;
  return { ...jsonOf(shown), id: _id, status: statusOf(key, now), leaked: jsonOf(leak) };
}

export function createdKeyToWire({ key, secret }: KeyWithSecret, now: Date): contract.CreatedApiKey {
  return { ...apiKeyToWire(key, now), secret };
}
