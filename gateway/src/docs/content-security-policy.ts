import { createHash } from 'node:crypto';

/** Matches inline scripts only: one with `src` is empty. */
const INLINE_SCRIPT = /<script\b[^>]*>([^<]+)<\/script>/g;

/** A page may load and run what the site contains, and nothing else. Its inline scripts are allowed by their hashes. */
export function siteContentSecurityPolicy(page: string): string {
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`.trim(),
    "style-src 'self'",
    // The style sheet contains its icons.
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
