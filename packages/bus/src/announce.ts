import type { Bus } from './connection.ts';

/**
 * Publishes a text to the current subscribers over core NATS: delivered at most once, not stored. While NATS is
 * disconnected, the text is dropped: a late announcement would be wrong.
 */
export function publishText(bus: Bus, subject: string, text: string): void {
  if (bus.isConnected()) bus.nats.publish(subject, text);
}

/** Passes every text on the subject to `onText`, which must not throw. Survives reconnects. */
export function subscribeText(bus: Bus, subject: string, onText: (text: string) => void): { stop(): void } {
  const subscription = bus.nats.subscribe(subject, {
    callback(error, message) {
      if (error === null) onText(message.string());
    },
  });
  return { stop: () => subscription.unsubscribe() };
}
