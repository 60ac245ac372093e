import { Counter, type Registry } from 'prom-client';

/** Counts the messages that consumers of this process moved to the dead letters. */
export function createDeadLetterCounter(registry: Registry): (consumer: string) => void {
  const counter = new Counter({
    name: 'tollgate_dead_letters_total',
    help: 'Messages moved to the dead letters because the consumer could not handle them',
    labelNames: ['consumer'],
    registers: [registry],
  });
  return (consumer) => counter.inc({ consumer });
}
