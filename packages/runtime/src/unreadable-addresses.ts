import { Counter, type Registry } from 'prom-client';
import type { Logger } from './logger.ts';

const MAX_LOGGED_CHARACTERS = 64;

/** Returns what is called with each entry of `X-Forwarded-For` that this listener got from a trusted proxy and cannot read. */
export type CountUnreadable = (listener: string, logger: Logger) => (entry: string) => void;

/**
 * Any increase is a mistake in the configuration of a proxy: all its clients share the limits of one. Only the first entry of a listener
 * is logged, because every request has one. `tollgate doctor` reads the counter.
 */
export function createUnreadableAddressCounter(registry: Registry): CountUnreadable {
  const counter = new Counter({
    name: 'tollgate_unreadable_client_addresses_total',
    help: 'Requests whose client address, as a trusted proxy sent it, is not an IP address, by listener',
    labelNames: ['listener'],
    registers: [registry],
  });
  return (listener, logger) => {
    let isLogged = false;
    return (entry) => {
      counter.inc({ listener });
      if (isLogged) return;
      isLogged = true;
      logger.warn(
        { address: entry.slice(0, MAX_LOGGED_CHARACTERS) },
        'a trusted proxy sent an entry of X-Forwarded-For that is not an IP address; all such clients share one limit',
      );
    };
  };
}
