export type Check = 'configuration' | 'nats' | 'mongodb' | 'schema' | 'clocks' | 'addresses';

/** One line of the report. */
export interface Finding {
  check: Check;
  /** What was checked, such as a role or a stream. */
  subject: string;
  status: 'ok' | 'problem' | 'not checked';
  message: string;
  /** What to do about a problem. */
  remedy?: string;
}

export function ok(check: Check, subject: string, message: string): Finding {
  return { check, subject, status: 'ok', message };
}

export function problem(check: Check, subject: string, message: string, remedy: string): Finding {
  return { check, subject, status: 'problem', message, remedy };
}

export function notChecked(check: Check, subject: string, message: string): Finding {
  return { check, subject, status: 'not checked', message };
}
