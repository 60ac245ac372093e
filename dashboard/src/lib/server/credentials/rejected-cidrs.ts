import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import type { Form } from '../form.ts';
import { readCidrs } from './read-cidrs.ts';

const CIDR_POINTER = /^\/allowed_cidrs\/(\d+)$/;

/** The admin API points at each rejected network; the form has one field for all, whose message names them. */
export function explainCidrs(error: AdminProblem, form: Pick<Form, 'text'>): AdminProblem {
  const cidrs = readCidrs(form.text('allowed_cidrs'));
  const indexOf = ({ pointer = '' }: { pointer?: string }) => CIDR_POINTER.exec(pointer)?.[1];
  const rejected = error.errors.flatMap((fieldError) => {
    const cidr = cidrs[Number(indexOf(fieldError))];
    return cidr === undefined ? [] : [cidr];
  });
  if (rejected.length === 0) return error;
  const { status, code, detail, requestId, cause } = error;
  const verb = rejected.length === 1 ? 'is not a valid network' : 'are not valid networks';
  const named = {
    pointer: '/allowed_cidrs',
    code: 'invalid',
    detail: `${rejected.join(', ')} ${verb}. Use CIDR notation such as 203.0.113.0/24 or 2001:db8::/32.`,
  };
  const others = error.errors.filter((fieldError) => indexOf(fieldError) === undefined);
  return new AdminProblem({ status, code, detail, requestId, cause, errors: [...others, named] });
}
