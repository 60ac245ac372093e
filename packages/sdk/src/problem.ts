import type { ApiErrorCode } from './error-code.ts';
import type { Open } from './open.ts';

/** One invalid part of a request. Exactly one of `pointer`, `header`, and `parameter` is present. */
export interface FieldError {
  /** RFC 6901 pointer into the body. */
  pointer?: string;
  header?: string;
  parameter?: string;
  code: string;
  detail: string;
}

/** The body of an error (RFC 9457). Later releases may add members. */
export interface Problem {
  /** URL of the page about this error code. */
  type: string;
  title: string;
  status: number;
  /** Description of this occurrence. */
  detail: string;
  /** Stable error code, such as `payment-not-found`. */
  code: Open<ApiErrorCode>;
  request_id: string;
  /** Whether the request may be repeated unchanged without a second effect. */
  retryable: boolean;
  errors?: FieldError[];
  /** Only with `insufficient-scope`. */
  required_scope?: string;
  /** Only with `payment-not-cancelable`. */
  payment_status?: string;
}
