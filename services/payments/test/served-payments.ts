import type { PaymentsApp } from '../src/app.ts';
import type { PaymentsUnderTest } from './payments-under-test.ts';

export interface ServedPayments {
  app: PaymentsApp;
  stop(): Promise<void>;
}

/** A second instance of the service, which serves requests and runs workers as the process does. */
export async function servePayments(payments: PaymentsUnderTest): Promise<ServedPayments> {
  const instance = await payments.anotherInstance();
  const running = await instance.app.start();
  return {
    app: instance.app,
    async stop() {
      await running.announceDraining();
      await running.stopServing();
      await running.stopWorking();
      await instance.stop();
    },
  };
}
