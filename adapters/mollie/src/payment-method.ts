/** Who a recurring payment charges. */
export interface Mandate {
  customerId: string;
  /** Without it, Mollie charges a valid mandate of the customer. */
  mandateId?: string;
}

const TOKEN = /^(cst_[A-Za-z0-9]{1,100})(?:\/(mdt_[A-Za-z0-9]{1,100}))?$/;

/** Reads `cst_…` or `cst_…/mdt_…`; null for any other text. */
export function readMandate(paymentMethod: string): Mandate | null {
  const [, customerId, mandateId] = TOKEN.exec(paymentMethod) ?? [];
  if (customerId === undefined) return null;
  return { customerId, ...(mandateId !== undefined && { mandateId }) };
}
