/** What a member must confirm before a form is accepted. The same form is submitted again with `token`. */
export interface Confirmation {
  /** Identifies exactly what was shown: a form with other values needs another confirmation. */
  token: string;
  title: string;
  /** What the submission would affect, one fact each. */
  impact: string[];
}

/** The form field that carries the token of a confirmation. */
export const CONFIRMATION_FIELD = 'confirmed';
