import { publishText, subscribeText } from '@tollgate/bus/announce';
import type { Bus } from '@tollgate/bus/connection';

/** The text is the endpoint's id. */
const SUBJECT = 'webhooks.due';

/**
 * Tells the other instances that something is due for an endpoint whose turn one of them has. What nobody hears is found by the sweep, a second later.
 */
export function passOn(bus: Bus, endpointId: string): void {
  publishText(bus, SUBJECT, endpointId);
}

export function takeOver(bus: Bus, onDue: (endpointId: string) => void): { stop(): void } {
  return subscribeText(bus, SUBJECT, onDue);
}
