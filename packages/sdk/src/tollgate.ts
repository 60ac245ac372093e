import { type Clock, systemClock } from './clock.ts';
import type { Environment } from './environment.ts';
import { InvalidArgumentError } from './errors.ts';
import { Payments } from './payments.ts';
import { type Connection, send } from './send.ts';

export interface TollgateOptions {
  /** `tg_sandbox_…` or `tg_live_…`. Keep it on the server. */
  apiKey: string;
  /** Address of the environment, such as `https://pay.example.com`. */
  baseUrl: string;
  /** Deadline of a call, with all attempts and waits. Default: 60 seconds. */
  timeoutMs?: number;
  /** How often a failed request is repeated at most. Default: 3. */
  maxRetries?: number;
  /** Sends the requests, for example through a proxy. Default: the global `fetch`. */
  fetch?: typeof fetch;
}

const DEFAULT_TIMEOUT_MS = 60_000;
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
    this.environment = environmentOf(options.apiKey);
    // In a closure, and not a field: nothing that prints or serializes the client reaches the key.
    const connection: Connection = {
      apiKey: options.apiKey,
      baseUrl: checkedUrl(options.baseUrl),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxRetries: options.maxRetries ?? DEFAULT_MAX_RETRIES,
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      clock,
    };
    this.payments = new Payments((call) => send(connection, call));
  }
}

function environmentOf(apiKey: string): Environment {
  const environment = /^tg_(live|sandbox)_\w+$/.exec(apiKey)?.[1];
  if (environment) return environment as Environment;
  throw new InvalidArgumentError('apiKey must be tg_sandbox_… or tg_live_…, without spaces or line breaks.', {
    code: 'invalid-api-key',
  });
}

function checkedUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search || url.hash)) {
    return url.href.replace(/\/+$/, '');
  }
  throw new InvalidArgumentError(
    'baseUrl must be an http or https URL without credentials, query, and fragment.',
    {
      code: 'invalid-base-url',
    },
  );
}
