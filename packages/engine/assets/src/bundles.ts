import { fileURLToPath } from 'node:url'

/** Folder of the libraries that the build bundles; resolves to the same place from sources and from the build. */
export const BUNDLES = fileURLToPath(new URL('../dist/bundled', import.meta.url))
