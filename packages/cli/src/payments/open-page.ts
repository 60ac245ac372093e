import type { Payment } from '@tollgate/contracts/payments/payment';
import type { Terminal } from '../command.ts';
import { visible } from '../visible.ts';

/** Opens the page of the payer in the browser, and prints its address for a machine without one. */
export async function openPage(
  { next_action, status }: Pick<Payment, 'next_action' | 'status'>,
  { openUrl, printError }: Pick<Terminal, 'openUrl' | 'printError'>,
): Promise<void> {
  if (next_action === null) {
    printError(`The payment has no page for the payer. Its status is ${status}.`);
    return;
  }
  printError(`Open ${visible(next_action.url)}`);
  // Another scheme could start a program instead of the browser.
  if (/^https?:/i.test(next_action.url)) await openUrl(next_action.url);
}
