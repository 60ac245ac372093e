import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';

const PATH = 'assets/code.css';

/** The colors of code as classes: the Content-Security-Policy allows no style attributes. */
export function codeStyles() {
  const transformer = transformerStyleToClass({ classPrefix: 'code-' });
  return {
    transformer,
    /** Below the base of the site. */
    path: PATH,
    /** Writes the style sheet, once all pages are rendered. */
    write: (outDir: string) => writeFileSync(join(outDir, PATH), transformer.getCSS()),
  };
}
