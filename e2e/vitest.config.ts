import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { defineConfig } from 'vitest/config'

const { resolve } = createRequire(import.meta.url)

const hasNamespaces = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0

export default defineConfig({
  plugins: [
    {
      // vitest takes packages from their sources; what is tested here is what was built.
      name: 'built-packages',
      enforce: 'pre',
      resolveId: (name) => (name.startsWith('@vid/') ? resolve(name) : undefined),
    },
  ],
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    pool: 'forks',
    // Without namespaces, every render would warn of it.
    // A test that is about rendering renders; those about the cache turn it on.
    env: { VID_CACHE: 'off', VID_SANDBOX: hasNamespaces ? 'auto' : 'off' },
    // Each of these tests wants the whole machine: a browser and an encoder.
    fileParallelism: false,
    // Browsers and encoders take ten times as long on a machine that is busy with other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
