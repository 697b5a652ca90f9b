import { spawnSync } from 'node:child_process'
import { defaultExclude, defineConfig } from 'vitest/config'

const hasNamespaces = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0

/**
 * Folders whose tests change nothing of their process (no mocks, no state of a module that a file's end must clear): their
 * files share processes and loaded modules. Loading them again takes longer than most of these tests do.
 */
const sharing = [
  'assets',
  'check',
  'command',
  'compare',
  'config',
  'core',
  'edit',
  'film',
  'player',
  'preview',
  'producer',
  'project',
  'protocol',
  'remote',
  'render',
  'runtime',
  'server',
  ...['contract', 'cost', 'renders', 'stack', 'workflow'].map((room) => `lambda/src/${room}`),
].map((folder) => `packages/${folder}/**/*.test.ts`)

/** Tests that wait for browsers, encoders, databases or the built command: too slow for every save. */
const integration = '**/*.integration.test.{ts,mjs}'

/** Folders whose integration tests change nothing of their process either. */
const sharingIntegration = [
  'packages/{check,cli,compare,edit,ffmpeg,film,preview,project,render,runtime}',
  'packages/kernel/src/pipeline',
  'plugins/encoder-{gif,mov}',
].map((folder) => `${folder}/${integration}`)

const sources = ['{packages,plugins,presets}/*/src/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}']

export default defineConfig({
  // Packages are tested from their sources.
  ssr: { resolve: { conditions: ['development', 'node'] } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'sharing', include: sharing, exclude: [...defaultExclude, integration], isolate: false },
      },
      {
        extends: true,
        test: { name: 'alone', include: sources, exclude: [...defaultExclude, ...sharing, integration] },
      },
      { extends: true, test: { name: 'integration-sharing', include: sharingIntegration, isolate: false } },
      {
        extends: true,
        test: { name: 'integration', include: [integration], exclude: [...defaultExclude, ...sharingIntegration] },
      },
    ],
    globalSetup: ['scripts/dev/vitest-setup.mjs'],
    pool: 'forks',
    // Without namespaces, every render would warn of it.
    // A test that is about rendering renders.
    env: { VID_CACHE: 'off', VID_SANDBOX: hasNamespaces ? 'auto' : 'off' },
    maxWorkers: 2,
    // Browsers and encoders take ten times as long on a machine that is busy with other things.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // Its ES modules import a folder, which only a bundler can resolve; Node itself takes its CommonJS build.
    server: { deps: { inline: ['clipanion'] } },
  },
})
