import { join, resolve } from 'node:path';

export const PACKAGE_DIR = resolve(import.meta.dirname, '..');
/** What the gateway serves. */
export const DIST_DIR = join(PACKAGE_DIR, 'dist');
/** Each process has its own, so that two builds do not disturb each other. */
export const WORK_DIR = join(PACKAGE_DIR, '.cache', String(process.pid));
/** The Markdown that VitePress reads. */
export const PAGES_DIR = join(WORK_DIR, 'pages');
/** What VitePress writes. */
export const BUILD_DIR = join(WORK_DIR, 'site');
