import { fileURLToPath } from 'node:url'

/** Folder of the libraries that the build bundles; this file stands where both sources and build find it. */
export const BUNDLES = fileURLToPath(new URL('../dist/bundled', import.meta.url))
