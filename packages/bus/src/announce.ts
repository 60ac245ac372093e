import type { Bus } from './connection.ts';

/**
 * Sends a text to anyone who listens at this moment: core NATS, delivered at most once, nothing stored.
 * While NATS is unavailable the text is dropped: an announcement that arrives late says something untrue.
 */
export function publishText(bus: Bus, subject: string, text: string): void {
  if (bus.isConnected()) bus.nats.publish(subject, text);
}

/** Hands every text on the subject to `onText`, which must not throw. Survives reconnects. */
export function subscribeText(bus: Bus, subject: string, onText: (text: string) => void): { stop(): void } {
  const subscription = bus.nats.subscribe(subject, {
    callback(error, message) {
      if (error === null) onText(message.string());
    },
  });
  return { stop: () => subscription.unsubscribe() };
}
