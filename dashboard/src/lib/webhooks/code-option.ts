/** Code to be looked at and copied, one of several. */
export interface CodeOption {
  id: string;
  label: string;
  /** The command that installs what it needs; null for nothing. */
  install: string | null;
  code: string;
}
