import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    pool: 'forks',
    // A test that is about rendering renders; those about the cache turn it on.
    env: { VID_CACHE: 'off' },
    // Each of these tests wants the whole machine: a browser and an encoder.
    fileParallelism: false,
    // Browsers and encoders take ten times as long on a machine that is busy with other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
