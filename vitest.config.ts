import { defaultExclude, defineConfig } from 'vitest/config'
import { builtPackages } from './scripts/dev/built-packages.ts'
import { testSandbox } from './scripts/dev/namespaces.ts'
import { SeededFiles, testOrder } from './scripts/dev/test-order.ts'

/**
 * Unit tests that replace a module, or something of Node that others hold. All others share processes and loaded modules:
 * loading them again takes longer than most of these tests do.
 */
const alone = [
  'packages/engine/cli/src/stops.test.ts',
  'packages/engine/cli/src/surfaces/one-setting.test.ts',
  'packages/services/container/src/run/linked-code.test.ts',
  'packages/base/kernel/src/results/place.test.ts',
  'plugins/target-local/src/overlap.test.ts',
]

/** Tests that wait for browsers, encoders, databases or the built command: too slow for every save. */
const integration = '**/*.integration.test.{ts,mjs}'

/** Whole sweeps, of which the other tests try a part: npm run lab -- long-tests. */
const long = '{packages,plugins,presets,e2e/long}/**/*.long.test.{ts,mjs}'

/** Integration tests that replace something of Node that others hold, or count what their process has started. */
const aloneIntegration = [
  'packages/base/kernel/src/supervision/thrown.integration.test.ts',
  'packages/services/lambda/src/function/kept-browser.integration.test.ts',
  'plugins/target-local/src/worker-simulation.integration.test.ts',
]

const sources = [
  '{packages/*,plugins,presets}/*/src/**/*.test.ts',
  '{scripts,bench,e2e/long,packages/*/*/{lab,templates}}/**/*.test.{ts,mjs}',
]

/**
 * With packages that have been built, as `npm test` and `npm run e2e` do first, a test takes its own package alone from
 * its sources: half of the time goes into loading those of the others.
 */
const { plugins, server } =
  process.env.VID_TEST_BUILT === 'yes' ? builtPackages : { plugins: [], server: { deps: { external: [] } } }

export default defineConfig({
  // Packages are tested from their sources, and with those of the packages that they import.
  ssr: { resolve: { conditions: ['development', 'node'] } },
  test: {
    projects: [
      {
        extends: true,
        plugins,
        test: {
          name: 'sharing',
          server,
          include: sources,
          exclude: [...defaultExclude, ...alone, integration, long],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        plugins,
        test: {
          name: 'integration-sharing',
          server,
          include: [integration],
          exclude: [...defaultExclude, 'release/**', ...aloneIntegration],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'integration', include: aloneIntegration } },
      { extends: true, test: { name: 'long', include: [long] } },
    ],
    globalSetup: ['scripts/dev/vitest-setup.mjs', 'scripts/dev/run-folder.ts'],
    setupFiles: ['scripts/dev/own-folders.ts', 'scripts/dev/file-end.ts', 'scripts/dev/own-group.ts'],
    pool: 'forks',
    sequence: { ...testOrder, sequencer: SeededFiles },
    // A test that is about rendering renders.
    env: { VID_CACHE: 'off', VID_SANDBOX: testSandbox },
    maxWorkers: 2,
    // Browsers and encoders take ten times as long on a machine that is busy with other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Its ES modules import a folder, which only a bundler can resolve; Node itself takes its CommonJS build.
    server: { deps: { inline: ['clipanion'] } },
  },
})
