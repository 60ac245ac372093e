/** What a person reads in a mail, apart from its form. Every text is plain text. */
export interface Letter {
  to: string;
  subject: string;
  paragraphs: string[];
  /** Facts in rows, such as the address of a sign-in. */
  facts?: { label: string; value: string }[];
  links: { label: string; url: string }[];
  /** What to do if the mail is unexpected. */
  unexpected: string;
}
