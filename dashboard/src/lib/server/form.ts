import { type ActionFailure, fail, isActionFailure } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import { CONFIRMATION_FIELD, type Confirmation } from '#lib/forms/confirmation.ts';
import { explainProblem, SEE_FIELDS } from './explain-problem.ts';

/** The fields of a submitted form, by name. */
export type Form = Awaited<ReturnType<typeof readForm>>;

/** Why a form was rejected, for the page that shows it again. */
export interface FormFailure {
  values: Record<string, string>;
  lists: Record<string, string[]>;
  /** Messages by field name. */
  errors: Record<string, string>;
  /** Message about the form as a whole. */
  message: string;
  /** Request id to quote in a support request; null unless the error is a server error. */
  requestId: string | null;
  /** The code in an error response of the admin API; null without one. */
  code: ErrorCode | null;
  /** What the member must confirm first; null when the form was rejected. */
  confirmation: Confirmation | null;
}

/** Fields that are never rendered again: HTML is kept in caches, histories and screenshots. */
const SECRET_FIELDS = /password|secret|^(?:token|totp|code|recovery_code|passkey|credential)$/;

const IDEMPOTENCY_FIELD = 'idempotency_key';

export async function readForm(request: Request) {
  const data = await request.formData();
  // Grouped once: a body can hold tens of thousands of fields of one name, and a search per field would block the
  // process.
  const fields = new Map<string, string[]>();
  for (const [name, value] of data) {
    const values = fields.get(name) ?? [];
    // No form here uploads files: a field with a file counts as empty.
    values.push(typeof value === 'string' ? value : '');
    fields.set(name, values);
  }
  /** Every value of a repeated field: check boxes, multiple selections. */
  const all = (name: string) => fields.get(name) ?? [];
  /** The trimmed value; empty when the field is absent. */
  const text = (name: string) => all(name)[0]?.trim() ?? '';
  const errors: Record<string, string> = {};
  /** Rejects the form with a message beside the field. The first message of a field stays. */
  const reject = (name: string, message: string) => {
    errors[name] ??= message;
  };
  const shown = [...fields].filter(([name]) => !SECRET_FIELDS.test(name));

  return {
    text,
    /** The value of a password as typed, including spaces. */
    secret: (name: string) => all(name)[0] ?? '',
    /** Undefined when the field is absent or blank, for optional members of a request. */
    optional: (name: string) => text(name) || undefined,
    all,
    reject,
    /** The same as `text`. Rejects the form with the message when it is empty. */
    required(name: string, message: string) {
      if (text(name) === '') reject(name, message);
      return text(name);
    },
    /** Whether a check box or switch is on. */
    has: (name: string) => all(name).length > 0,
    /** NaN when the text is not an integer. JSON encodes it as null, so the admin API reports the field. */
    integer: (name: string) => (/^-?\d+$/.test(text(name)) ? Number(text(name)) : Number.NaN),
    /** The version that the form was rendered with (`<input type="hidden" name="version">`), for `ifMatch`. */
    version: () => Number.parseInt(text('version'), 10) || 0,
    /**
     * The key of this rendering of the form (`<input type="hidden" name="idempotency_key">`): reloading the response
     * submits the form again, which must not create another resource. Undefined when the field is absent.
     */
    idempotencyKey: () => text(IDEMPOTENCY_FIELD) || undefined,
    /** The values that the page shows again when the form is rejected: all fields except secrets. */
    values: Object.fromEntries(shown.map(([name, [first = '']]) => [name, first])) as Record<string, string>,
    /** The same for repeated fields. */
    lists: Object.fromEntries(shown) as Record<string, string[]>,
    /** What `required` and `reject` have found, by field. */
    errors,
  };
}

/**
 * Runs the calls of a form action. An error response of the admin API becomes a failure that the page shows beside the
 * typed values. So do the errors that reading the form has found, and nothing is called then. `fieldOf` maps pointers of the request to form
 * fields where the names differ (`{ '/outcome/failure/code': 'failure_code' }`), and the code of a problem to the field that it is about
 * (`{ forbidden: 'setup_token' }`). Rethrows redirects, other `not-found` problems and bugs for SvelteKit to handle.
 */
export async function submitForm<T>(
  form: Form,
  run: () => Promise<T>,
  fieldOf: Record<string, string> = {},
): Promise<T | ActionFailure<FormFailure>> {
  if (hasErrors(form)) return failForm(form, 400, {});
  try {
    return named(form, await run());
  } catch (error) {
    if (!(error instanceof AdminProblem)) throw error;
    if (error.status === 404 && fieldOf[error.code] === undefined) throw error;
    return failForm(form, error.status, explainProblem(form.has, error, fieldOf));
  }
}

/** Whether a field must be corrected. */
export function hasErrors(form: Form): boolean {
  return Object.keys(form.errors).length > 0;
}

/** Tells the page which of its forms was submitted (`outcomeOf`). */
function named<T>(form: Form, result: T): T {
  if (typeof result !== 'object' || result === null || isActionFailure(result) || !form.has('form'))
    return result;
  return { form: form.text('form'), ...result };
}

/** Rejects a form with the page's own messages instead of those of the admin API. */
export function failForm(
  form: Form,
  status: number,
  failure: Partial<Pick<FormFailure, 'errors' | 'message' | 'requestId' | 'code' | 'confirmation'>>,
): ActionFailure<FormFailure> {
  const values = status < SERVER_ERROR ? withoutIdempotencyKey(form.values) : form.values;
  return fail(status, {
    values,
    lists: form.lists,
    errors: form.errors,
    message: SEE_FIELDS,
    requestId: null,
    code: null,
    confirmation: null,
    ...failure,
  });
}

/**
 * Shows the form again with what must be confirmed. Nothing has been stored. Null when the member has confirmed exactly this. The form
 * of the page has `confirm={ConfirmationNotice}`.
 */
export function askToConfirm(form: Form, confirmation: Confirmation): ActionFailure<FormFailure> | null {
  if (form.text(CONFIRMATION_FIELD) === confirmation.token) return null;
  return failForm(form, CONFLICT, { message: '', confirmation });
}

/**
 * A rejected form created nothing, so the page uses a new key: the old one is bound to the rejected values. After a server
 * error the outcome is unknown, and the page keeps the key.
 */
function withoutIdempotencyKey({ [IDEMPOTENCY_FIELD]: _, ...values }: Record<string, string>) {
  return values;
}

const CONFLICT = 409;
const SERVER_ERROR = 500;
