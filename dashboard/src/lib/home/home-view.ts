/** A figure at the top of the home page, compared with the period before. */
export interface HomeFigure {
  label: string;
  value: string;
  /** The unit beside the value, such as a currency. */
  unit: string | null;
  note: string;
  /** The line of its trend as SVG; empty without one. */
  trend: string;
}

/** What a member should act on, with the page where that is possible. */
export interface AttentionItem {
  /** `bad`: something fails now. `warn`: something will. */
  tone: 'bad' | 'warn';
  title: string;
  detail: string;
  href: string;
}
