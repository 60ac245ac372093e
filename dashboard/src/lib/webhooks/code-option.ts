/** One of several code examples to show and copy. */
export interface CodeOption {
  id: string;
  label: string;
  /** The command that installs its dependencies; null without dependencies. */
  install: string | null;
  code: string;
}
