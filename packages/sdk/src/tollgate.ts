import { check, isObject } from './arguments.ts';
import type { AttemptInfo } from './attempt-info.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Environment } from './environment.ts';
import { Payments } from './payments.ts';
import { checkTimeouts } from './request-options.ts';
import { send } from './send.ts';

export interface TollgateOptions {
  /** `tg_sandbox_…` or `tg_live_…`. Keep it on the server. */
  apiKey: string;
  /** Address of the environment, such as `https://pay.example.com`. */
  baseUrl: string;
  /** Deadline of a call, with all attempts and waits. Default: 60 seconds. */
  timeoutMs?: number | undefined;
  /** Time limit of each attempt, after which it is repeated. Default: 30 seconds. */
  attemptTimeoutMs?: number | undefined;
  /** How often a failed request is repeated at most. Default: 3. */
  maxRetries?: number | undefined;
  /** Sends the requests, for example through a proxy. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Gets every attempt, for a log or a metric. What it throws is ignored. */
  onAttempt?: ((attempt: AttemptInfo) => unknown) | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** Longer than the gateway waits for its services, so that its own response arrives. */
const DEFAULT_ATTEMPT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 3;

/** A client of the Tollgate API. */
export class Tollgate {
  /** The environment of the API key. */
  readonly environment: Environment;
  readonly payments: Payments;

  constructor(options: TollgateOptions);
  /** @internal */
  constructor(options: TollgateOptions, clock: Clock);
  constructor(options: TollgateOptions, clock = systemClock) {
    check(isObject(options), 'invalid-options', 'The options of the client must be an object.');
    const {
      apiKey,
      timeoutMs = DEFAULT_TIMEOUT_MS,
      attemptTimeoutMs = DEFAULT_ATTEMPT_TIMEOUT_MS,
      maxRetries = DEFAULT_MAX_RETRIES,
      fetch: customFetch = (input, init) => fetch(input, init),
      onAttempt,
    } = options;
    this.environment = environmentOf(apiKey);
    const baseUrl = checkedUrl(options.baseUrl);
    checkTimeouts(options);
    check(
      Number.isSafeInteger(maxRetries) && maxRetries >= 0,
      'invalid-max-retries',
      'maxRetries must be an integer of 0 or more.',
    );
    check(typeof customFetch === 'function', 'invalid-fetch', 'fetch must be a function.');
    check(
      onAttempt === undefined || typeof onAttempt === 'function',
      'invalid-on-attempt',
      'onAttempt must be a function.',
    );
    // In a closure, and not a field: nothing that prints or serializes the client reaches the key.
    const connection = {
      apiKey,
      baseUrl,
      timeoutMs,
      attemptTimeoutMs,
      maxRetries,
      fetch: customFetch,
      onAttempt,
      clock,
    };
    this.payments = new Payments((call) => send(connection, call));
  }
}

function environmentOf(apiKey: string): Environment {
  const environment = typeof apiKey === 'string' && /^tg_(live|sandbox)_\w+$/.exec(apiKey)?.[1];
  check(
    environment,
    'invalid-api-key',
    'apiKey must be tg_sandbox_… or tg_live_…, without spaces or line breaks.',
  );
  return environment as Environment;
}

function checkedUrl(baseUrl: string): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  check(
    url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search || url.hash),
    'invalid-base-url',
    'baseUrl must be an http or https URL without credentials, query, and fragment.',
  );
  return url.href.replace(/\/+$/, '');
}
