import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the cases that the SDKs of all languages share. */
export const CASES = fileURLToPath(new URL('../../../../sdks/cases/', import.meta.url));

export interface ExpectedError {
  error: string;
  code: string;
}

export interface RequestCase {
  name: string;
  client?: { timeout_ms?: number; attempt_timeout_ms?: number; max_retries?: number };
  replies: object[];
  calls: CallCase[];
}

export interface CallCase {
  operation: 'create' | 'retrieve' | 'cancel';
  id?: string;
  params?: object;
  idempotency_key?: string;
  wait_for_action?: boolean;
  timeout_ms?: number;
  attempt_timeout_ms?: number;
  expect: {
    request: { method: string; path: string; headers?: Record<string, string>; body: object | null };
    attempts: number;
    waits_ms: [number, number][];
    payment?: object;
    response?: {
      status: number;
      request_id: string;
      idempotency_key?: string;
      idempotent_replayed: boolean;
    };
    problem?: object;
    message_includes?: string;
    status?: number;
    request_id?: string;
    idempotency_key?: string;
    retry_after_ms?: number;
  } & Partial<ExpectedError>;
}

export interface WebhookCase {
  name: string;
  secrets: string[];
  now: number;
  tolerance_seconds?: number;
  headers: Record<string, string>;
  body: string;
  expect: { event: object } | ExpectedError;
}

export interface MoneyCase {
  to_minor_units?: [amount: string, currency: string | number];
  from_minor_units?: [minorUnits: number, currency: string | number];
  expect: string | number | ExpectedError;
}

export function readCases<Case>(file: string): Case[] {
  return read<{ cases: Case[] }>(file).cases;
}

/** The key of all request cases. */
export const API_KEY = read<{ api_key: string }>('requests.json').api_key;

function read<File>(file: string): File {
  return JSON.parse(readFileSync(`${CASES}/${file}`, 'utf8')) as File;
}
