import { publishText, subscribeText } from '@tollgate/bus/announce';
import type { Bus } from '@tollgate/bus/connection';
import { WEBHOOKS_DUE_SUBJECT } from '@tollgate/contracts/platform/streams';

/** Notifies the instance that holds the endpoint's lease of due deliveries. If the message is lost, that instance's sweep finds them within a second. */
export function notifyDue(bus: Bus, endpointId: string): void {
  publishText(bus, WEBHOOKS_DUE_SUBJECT, endpointId);
}

export function subscribeToDue(bus: Bus, onDue: (endpointId: string) => void): { stop(): void } {
  return subscribeText(bus, WEBHOOKS_DUE_SUBJECT, onDue);
}
