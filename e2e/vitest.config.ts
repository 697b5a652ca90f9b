import { defaultExclude, defineConfig } from 'vitest/config'
import type { TestSpecification } from 'vitest/node'
import { builtPackages } from '../scripts/dev/built-packages.ts'
import { testSandbox } from '../scripts/dev/namespaces.ts'
import { SeededFiles, testOrder } from '../scripts/dev/test-order.ts'

/** Tests of what plays while time passes: a render beside them takes frames from it. */
const playing = [
  'player/player.test.ts',
  'player/player-firefox.test.ts',
  'player/player-gains.test.ts',
  'player/player-hls.test.ts',
  'player/player-sound.test.ts',
  'player/player-video.test.ts',
  'preview/preview-play.test.ts',
  'player/publish-page.test.ts',
  'player/hls-players.test.ts',
]

/** Whole sweeps and kills, of which the other tests try a part: npm run lab -- long-tests. */
const long = ['**/*.long.test.ts']

/** Tests that count what their process holds: their files have one each. */
const counting = ['faults/soak.test.ts']

/** Files that take minutes: whichever comes last leaves a processor idle. */
const slow = [
  'lambda/lambda.test.ts',
  'commands/author.test.ts',
  'commands/templates.test.ts',
  'preview/preview-page.test.ts',
  'services/hls-cloud.test.ts',
]

/** Starts the slow files first, and all others by the seed. */
class SlowFirst extends SeededFiles {
  protected override rankOf({ moduleId }: TestSpecification): number {
    return slow.some((name) => moduleId.endsWith(`/e2e/${name}`)) ? 0 : 1
  }
}

export default defineConfig({
  // What is tested here is what was built.
  plugins: builtPackages.plugins,
  test: {
    root: import.meta.dirname,
    // A render waits for its browser and its encoder in turn, so that two of them take less time beside each other.
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['**/*.test.ts'],
          exclude: [...defaultExclude, ...playing, ...counting, ...long],
          // Loading the packages again takes longer than many of these tests wait for.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'counting', include: counting } },
      { extends: true, test: { name: 'long', include: long } },
      {
        extends: true,
        test: { name: 'playing', include: playing, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
    globalSetup: ['../scripts/dev/run-folder.ts'],
    setupFiles: ['../scripts/dev/own-folders.ts', '../scripts/dev/own-group.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // As written, unless an order is asked for: a run takes too long to try many.
    sequence: { ...testOrder, shuffle: process.env.VID_TEST_SEED !== undefined, groupOrder: 0, sequencer: SlowFirst },
    // A test that is about rendering renders; those about the cache turn it on.
    env: { VID_CACHE: 'off', VID_SANDBOX: testSandbox },
    // Browsers and encoders take ten times as long on a machine that is busy with other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    server: builtPackages.server,
  },
})
