import { CancelPaymentBody, CreatePaymentBody } from '@tollgate/contracts/payments/payment';
import { ERRORS } from '@tollgate/contracts/platform/errors';
import { rulesOf } from '@tollgate/contracts/platform/field-rules';
import type { LoggedError } from '@tollgate/contracts/usage/logged-error';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import type { UsageOperation } from '@tollgate/contracts/usage/usage';

const BODIES: Partial<Record<UsageOperation, object>> = {
  create_payment: CreatePaymentBody,
  cancel_payment: CancelPaymentBody,
};

/** Advice that no rule of a field gives, by the code of an error. */
const ADVICE: Record<string, string> = {
  missing: 'Send it. It is required.',
  unknown: 'Remove it, or check its name. The operation does not know it.',
  duplicate: 'Send it only once.',
  unsupported: ERRORS['unsupported-currency'].remedy,
  'card-number': ERRORS['card-data-not-allowed'].remedy,
  reused: ERRORS['idempotency-key-reused'].remedy,
};

/** The errors of a rejected request, and what its sender must change. */
export function explainErrors({ operation, errors = [] }: LoggedRequest) {
  return errors.map((error) => ({
    /** Where it is: "/amount", "Idempotency-Key". Null if its name may be a value, which no log contains. */
    place: error.pointer ?? error.parameter ?? error.header ?? null,
    kind: kindOf(error),
    code: error.code,
    advice: ADVICE[error.code] ?? adviceOf(operation, error),
  }));
}

function kindOf({ parameter, header }: LoggedError): 'Field' | 'Header' | 'Query parameter' {
  if (header !== undefined) return 'Header';
  return parameter === undefined ? 'Field' : 'Query parameter';
}

/** The rules of the field: the API rejected a value that breaks one of them. */
function adviceOf(operation: UsageOperation, { pointer, header }: LoggedError): string {
  if (header === 'Idempotency-Key') return ERRORS['invalid-idempotency-key'].remedy;
  const body = BODIES[operation];
  const rules = body && pointer !== undefined ? rulesOf(body, pointer) : [];
  return rules.length > 0 ? rules.join(' ') : 'Compare the value with the API reference.';
}
