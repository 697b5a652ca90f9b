import { spawnSync } from 'node:child_process'
import { defineConfig } from 'vitest/config'

const hasNamespaces = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0

export default defineConfig({
  // Packages are tested from their sources.
  ssr: { resolve: { conditions: ['development', 'node'] } },
  test: {
    include: ['{packages,plugins,presets}/*/src/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}'],
    globalSetup: ['scripts/dev/vitest-setup.mjs'],
    pool: 'forks',
    // Without namespaces, every render would warn of it.
    // A test that is about rendering renders.
    env: { VID_CACHE: 'off', VID_SANDBOX: hasNamespaces ? 'auto' : 'off' },
    maxWorkers: 2,
    // Browsers and encoders take ten times as long on a machine that is busy with other things.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Its ES modules import a folder, which only a bundler can resolve; Node itself takes its CommonJS build.
    server: { deps: { inline: ['clipanion'] } },
  },
})
