import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,plugins,presets}/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    pool: 'forks',
    // A test that is about rendering renders.
    env: { VID_CACHE: 'off' },
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Its ES modules import a folder, which only a bundler can resolve; Node itself takes its CommonJS build.
    server: { deps: { inline: ['clipanion'] } },
  },
})
