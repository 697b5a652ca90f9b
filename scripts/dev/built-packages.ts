import { createRequire } from 'node:module'
import type { Plugin } from 'vitest/config'

/** Takes packages from what was built of them, which Node itself loads, as it does for a user. */
const plugin: Plugin = {
  name: 'built-packages',
  enforce: 'pre',
  resolveId: (name, importer = import.meta.filename) =>
    name.startsWith('@vid/') ? createRequire(importer).resolve(name) : undefined,
  configResolved({ ssr }) {
    // Otherwise the test processes take the sources.
    Object.assign(ssr.resolve ?? {}, { conditions: ['node'] })
  },
}

/**
 * Settings of vitest for tests of built packages. What vite transforms runs slower, since it looks up each import at
 * each use: loops over samples and pixels take up to ten times as long, and loading takes several times as long.
 */
export const builtPackages = {
  plugins: [plugin],
  server: { deps: { external: [/\/(packages\/\w+|plugins|presets)\/[\w-]+\/dist\//] } },
}
