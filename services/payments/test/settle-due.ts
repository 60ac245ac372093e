import type { PaymentsApp } from '../src/app.ts';

/** Lets every processor's worker take the payments that are due now as far as they get. */
export async function settleDue({ lanes }: Pick<PaymentsApp, 'lanes'>): Promise<void> {
  await Promise.all(
    lanes.map(async (lane) => {
      await lane.run();
      await lane.idle();
    }),
  );
}
