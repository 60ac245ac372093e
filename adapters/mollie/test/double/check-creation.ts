import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { MollieProblem } from './mollie-problem.ts';

/** Body of `POST /v2/payments`, as far as the adapter uses it. */
export interface CreationRequest {
  amount: { currency: string; value: string };
  description: string;
  redirectUrl?: string;
  cancelUrl?: string;
  webhookUrl?: string;
  metadata?: Record<string, string>;
  customerId?: string;
  mandateId?: string;
  sequenceType?: 'oneoff' | 'recurring';
}

/** The account of the double accepts these currencies: https://docs.mollie.com/docs/multicurrency */
const CURRENCIES = ['EUR', 'GBP', 'USD', 'JPY', 'ISK', 'HUF', 'TWD'];
export const UNREACHABLE_WEBHOOK_URL = 'https://unreachable.example/';
const MAX_AMOUNT_DIGITS = 7;
const MAX_METADATA_BYTES = 1024;

/** The checks of https://docs.mollie.com/reference/create-payment, in the order of Mollie's errors. */
export function checkCreation(
  request: CreationRequest,
  { customers, mandates }: { customers: Set<string>; mandates: Set<string> },
): void {
  const { amount, description, redirectUrl, webhookUrl, metadata, customerId, mandateId } = request;
  const isRecurring = request.sequenceType === 'recurring';
  if (!amount) throw new MollieProblem(422, 'The amount is missing', 'amount');
  if (!CURRENCIES.includes(amount.currency)) {
    throw new MollieProblem(422, `The currency ${amount.currency} is not supported`, 'amount.currency');
  }
  const exponent = CURRENCY_EXPONENTS.get(amount.currency) as number;
  const decimals = exponent === 0 ? '' : `\\.\\d{${exponent}}`;
  if (typeof amount.value !== 'string' || !new RegExp(`^\\d+${decimals}$`).test(amount.value)) {
    throw new MollieProblem(422, 'The amount contains an invalid value', 'amount.value');
  }
  if ((amount.value.split('.')[0] as string).length > MAX_AMOUNT_DIGITS) {
    throw new MollieProblem(422, 'The amount is higher than the maximum', 'amount');
  }
  if (!description) throw new MollieProblem(422, "The 'description' field is missing", 'description');
  if (!isRecurring && !isAddress(redirectUrl)) {
    throw new MollieProblem(422, 'The redirect URL is invalid', 'redirectUrl');
  }
  if (webhookUrl === UNREACHABLE_WEBHOOK_URL) {
    throw new MollieProblem(422, 'The webhook URL is invalid because it is unreachable', 'webhookUrl');
  }
  if (Buffer.byteLength(JSON.stringify(metadata ?? null)) > MAX_METADATA_BYTES) {
    throw new MollieProblem(422, 'The metadata is too large', 'metadata');
  }
  if (!isRecurring) return;
  if (!customerId || !customers.has(customerId)) {
    throw new MollieProblem(422, 'The customer id is invalid', 'customerId');
  }
  if (mandateId !== undefined && !mandates.has(mandateId)) {
    throw new MollieProblem(422, 'The mandate id is invalid', 'mandateId');
  }
}

function isAddress(text: string | undefined): boolean {
  return text !== undefined && /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
