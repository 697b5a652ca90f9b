// Everything beyond the daily commands: npm run lab lists it, npm run lab -- NAME [flags] runs it.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter } from 'node:path'
import { path } from './workspaces.mjs'

const E2E = 'vitest run --config e2e/vitest.config.ts'

/**
 * The table: what each does, about how long it takes (a number only where it was measured), and its command, which gets the flags. `env` is added to
 * the environment; `builds` is false for what runs from sources or needs no build.
 */
const LAB = {
  'Generated files': {
    format: { does: 'formats and fixes', time: 'seconds', command: 'biome check --write .', builds: false },
    errors: {
      does: 'writes ERRORS.md after a table of errors or warnings has changed',
      time: 'seconds',
      command: 'node scripts/errors-page.mjs',
    },
    'commands-page': {
      does: 'writes docs/commands.md after a command or a flag has changed',
      time: 'seconds',
      command: 'node scripts/commands-page.mjs',
    },
    'assistants-page': {
      does: 'writes the tools in docs/assistants.md after a command has changed that is one',
      time: 'seconds',
      command: 'node scripts/assistants-page.mjs',
    },
    'lint-pages': {
      does: 'writes docs/lint after a lint rule has changed',
      time: 'seconds',
      command: 'node scripts/lint-pages.mjs',
    },
    'check-pages': {
      does: 'writes docs/check after a rule of vid check has changed',
      time: 'seconds',
      command: 'node scripts/check-pages.mjs',
    },
    patterns: {
      does: 'writes scripts/patterns/safe.json after a pattern has changed: the checker judges it',
      time: 'seconds for each new pattern',
      command: 'node scripts/check-patterns.mjs --write',
    },
    'config-schema': {
      does: 'writes packages/base/config/schema.json after a setting has changed',
      time: 'seconds',
      command: 'node scripts/config-schema.mjs',
    },
    'origin-pages': {
      does: 'makes the pages say how packages are installed: from a clone, or from a registry once they are published',
      time: 'seconds',
      command: 'node scripts/origin-pages.mjs',
    },
    'packages-page': {
      does: 'writes the tables of packages/README.md after a description in a package.json has changed',
      time: 'seconds',
      command: 'node scripts/packages-page.mjs',
      builds: false,
    },
    'preview-pictures': {
      does: 'takes the pictures of docs/preview.md; --into FOLDER takes them at two sizes, dark and light',
      time: 'minutes',
      command: 'node packages/authoring/preview/lab/pictures.mjs',
    },
    'example-pictures': {
      does: 'renders the pictures of examples/README.md',
      time: 'minutes',
      command: 'node packages/engine/cli/lab/example-pictures.mjs && biome check --write examples/README.md',
    },
    'example-media': {
      does: 'makes the media of examples/; needs flite',
      time: 'minutes',
      command: 'node packages/engine/cli/lab/example-media.mjs',
    },
    new: {
      does: 'makes a plugin or preset package: npm run lab -- new <role> <name>',
      time: 'seconds',
      command: 'node scripts/new.mjs',
      builds: false,
    },
  },
  'Whole suites': {
    'lane-gallery': {
      does: 'compares renders in the chosen lane with those of screenshots over the gallery',
      time: 'minutes',
      command: `${E2E} e2e/capture/gallery-lanes.test.ts`,
      env: { VID_TEST_CASES: 'all' },
    },
    'library-ways': {
      does: 'renders the pages of every bundled library in all lanes and segment sizes',
      time: 'minutes',
      command: `${E2E} e2e/capture/libraries.test.ts`,
      env: { VID_TEST_CASES: 'all' },
    },
    'library-pages': {
      does: 'renders pages of popular libraries, and compares every frame of the chosen lane with screenshots: --only drawing/',
      time: 'minutes',
      command: 'node e2e/long/library-pages.mjs',
    },
    'random-pages': {
      does: 'compares every frame of random pages in the chosen lane with screenshots: --count 120 --seed 1',
      time: 'minutes',
      command: 'node e2e/long/random-pages.mjs',
    },
    strangers: {
      does: 'renders pages of public repositories, and compares them with a plain browser: --from FOLDER --only mdn/ --pictures FOLDER',
      time: 'an hour',
      command: 'node e2e/long/strangers.mjs',
    },
    ranges: {
      does: 'compares ranges that begin at random frames with the whole: --ranges 3 --seed 1 --only examples/',
      time: 'minutes',
      command: 'node e2e/long/ranges.mjs',
    },
    'planted-faults': {
      does: 'plants a fault at a random frame of random pages, and counts those that a render finds: --count 100 --seed 1 --ways unobserved',
      time: 'minutes',
      command: 'node e2e/long/planted-faults.mjs',
    },
    'placed-videos': {
      does: 'compares videos in every place and style of a page with pictures of their frames: 550 pages',
      time: '20 min',
      command: `${E2E} e2e/media/placed-videos.test.ts`,
      env: { VID_TEST_CASES: 'all' },
    },
    'hard-pages': {
      does: 'renders 200 hard pages to every format, and plants faults: what the check of finished files says of them',
      time: '15 min',
      command: `${E2E} e2e/media/finished-pictures.test.ts`,
      env: { VID_HARD_PAGES: process.env.VID_HARD_PAGES ?? '200' },
    },
    'raster-gallery': {
      does: 'compares stills of this processor with those of every one over the gallery',
      time: 'minutes',
      command: `${E2E} e2e/capture/raster.test.ts`,
      env: { VID_TEST_CASES: 'all' },
    },
    'changed-rows': {
      does: 'compares frames of which only the changed rows are moved with whole ones: 2,000 random pages, the gallery',
      time: 'hours',
      command: `vitest run packages/engine/browser/src/lanes/raster/changed-rows.integration.test.ts && ${E2E} e2e/capture/changed-rows.test.ts`,
      env: { VID_CHANGED_ROWS: process.env.VID_CHANGED_ROWS ?? '2000' },
    },
    'long-tests': {
      does: 'runs the sweeps and kills of which the other tests try a part',
      time: 'minutes',
      command: `vitest run --project long && ${E2E} --project long`,
    },
    'all-cases': {
      does: 'runs the suites of npm run e2e with every case of their tables, of which they try a part, and the tests that take longest',
      time: '2 hours',
      command: 'node scripts/suites.mjs e2e',
      env: { VID_TEST_CASES: 'all' },
    },
    chance: {
      does: 'runs the unit tests and e2e in random orders beside two busy programs, and names what fails with its seed: --unit 10 --e2e 3',
      time: '2 hours',
      command: 'node e2e/long/chance.mjs',
    },
    'template-extremes': {
      does: 'renders every template of vid init with texts of every extreme, and looks for any that is cut or covered',
      time: '2 min',
      command: `${E2E} e2e/commands/templates.test.ts`,
      env: { VID_TEST_CASES: 'all' },
    },
    'preview-gallery': {
      does: 'compares paused players with stills over the gallery, pixel by pixel',
      time: 'minutes',
      command: `${E2E} e2e/preview/preview-pictures.test.ts`,
      env: { VID_TEST_CASES: 'all' },
    },
    'preview-gestures': {
      does: 'edits a composition of 40 clips by 500 random gestures in the preview, and takes them all back',
      time: 'minutes',
      command: `${E2E} e2e/preview/preview-gestures.test.ts`,
      env: { VID_PREVIEW_GESTURES: '500' },
    },
    'still-backgrounds': {
      does: 'compares every kind of change of a background that is drawn from a picture with screenshots',
      time: '6 min',
      command: 'vitest run packages/engine/browser/src/lanes/raster/still-backgrounds.integration.test.ts',
      env: { VID_TEST_CASES: 'all' },
      builds: false,
    },
    'assistant-session': {
      does: 'mends a composition with ten mistakes by the answers of the tools alone, and prints their sizes; --record FILE',
      time: '2 minutes',
      command: 'node packages/authoring/assistant/lab/session.mjs',
    },
    'assistant-kills': {
      does: 'cancels 50 calls of assistants and kills 20 of them, and looks for what is left',
      time: '8 minutes',
      command: `${E2E} e2e/commands/assistant.test.ts -t 'leave no'`,
      env: { VID_ASSISTANT_CANCELS: '50', VID_ASSISTANT_KILLS: '20' },
    },
    'check-corpus': {
      does: 'runs vid check over seeded defects and their correct twins: recall and false alarms; --only text/',
      time: 'minutes',
      command: 'node packages/authoring/check/lab/corpus.mjs',
    },
    'batch-kills': {
      does: 'kills a batch of renders at 100 moments, and compares its manifest with its files',
      time: 'minutes',
      command: 'vitest run packages/engine/cli/src/commands/render/batch.integration.test.ts -t killed',
      env: { VID_BATCH_KILLS: '100' },
    },
    'kill-matrix': {
      does: 'kills each process of a render at each stage, 60 times',
      time: 'minutes',
      command: 'node e2e/long/kill-matrix.mjs',
    },
    'edit-pairs': {
      does: 'makes 20,000 operations on generated sources, and compares every node and byte',
      time: 'minutes',
      command: 'vitest run packages/authoring/edit/src/generated.test.ts',
      env: { VID_EDIT_PAIRS: '20000' },
      builds: false,
    },
    'edit-renders': {
      does: 'makes every operation on every composition of the gallery, compares all frames, and counts them in docs/edit.md; --results FILE -t NAME for some',
      time: '1 hour',
      command: 'node packages/authoring/edit/lab/renders.mjs',
    },
    'hostile-zips': {
      does: 'unpacks 10,000 damaged and hostile zips',
      time: '4 min',
      command: 'vitest run packages/engine/project/src/unpack/hostile-zips.integration.test.ts',
      env: { VID_HOSTILE_ZIPS: '10000' },
      builds: false,
    },
    'hostile-pages': {
      does: 'checks pages of 50,000 elements, 10,000 clips and a megabyte of text, and one that never returns',
      time: '2 min',
      command: 'vitest run packages/authoring/check/src/hostile-pages.integration.test.ts',
      env: { VID_TEST_CASES: 'all' },
      builds: false,
    },
    'large-files': {
      does: 'edits a file of 200,000 elements',
      time: '1 min',
      command: 'vitest run packages/authoring/edit/src/large-files.integration.test.ts',
      env: { VID_LARGE_FILES: '200000' },
      builds: false,
    },
    'full-disk': {
      does: 'fills the disk in each step of a render of every format',
      time: '1 min',
      command: `${E2E} e2e/faults/full-disk.test.ts`,
      env: { VID_TEST_CASES: 'all' },
    },
    fuzz: {
      does: 'renders damaged media and HTML, and reports what they can do: --count 100',
      time: 'minutes',
      command: 'node e2e/long/fuzz.mjs',
    },
    'doctor-check': {
      does: 'runs vid doctor on machines that are broken in one way each, and compares its findings',
      time: '5 min',
      command: 'node e2e/long/doctor-check.mjs',
    },
    machines: {
      does: 'tries doctor and strict renders on the machines that users have, and prints a table: --only PATTERN',
      time: '10 min',
      command: 'node e2e/long/machines.mjs',
    },
    'first-use-check': {
      does: 'follows the README and the start page in a fresh clone, and with packed packages: --only clone',
      time: '30 min',
      command: 'node e2e/long/first-use-check.mjs',
    },
  },
  Measurements: {
    'preview-drag': {
      does: 'measures pictures, long tasks and layout shifts while a clip is dragged in the preview: --clips 200',
      time: 'minutes',
      command: 'node packages/authoring/preview/lab/drag.mjs',
    },
    'preview-answers': {
      does: 'measures letting a clip go to the new picture, beside a save, and exact frames with their processor time',
      time: 'minutes',
      command: 'node packages/authoring/preview/lab/answers.mjs',
    },
    'preview-times': {
      does: 'measures the time from vid preview to the first picture, and from a save to the new one',
      time: 'minutes',
      command: 'node packages/authoring/preview/lab/times.mjs',
    },
    'check-times': {
      does: 'measures vid check of a minute, its processor time by --threads, and the answer of --watch to a save',
      time: '2 min',
      command: 'node packages/authoring/check/lab/times.mjs',
    },
    codecs: {
      does: 'encodes frames of four compositions with every codec and quality: size, SSIM and processor time, as in docs/codecs.md',
      time: 'minutes',
      command: 'node bench/codecs.mjs',
    },
    'gpu-check': {
      does: 'proves the GPU of this machine, and compares renders on it with those of the processor',
      time: '8 min',
      command: 'node e2e/long/gpu-check.mjs',
      builds: false,
    },
    cores: {
      does: 'measures a render on 1 to 16 cores, with the chosen number of workers and every other one',
      time: 'minutes',
      command: 'node bench/cores.mjs',
    },
    'segment-times': {
      does: 'measures what a frame of each format and size costs, for estimates on Lambda',
      time: 'minutes',
      command: 'node packages/services/lambda/lab/segment-times.mjs',
    },
  },
  'Render server': {
    'producer-soak': {
      does: 'sends 1,000 requests to one render server from 50 connections',
      time: '15 min',
      command: 'node packages/services/producer/lab/soak.mjs',
    },
    'producer-kills': {
      does: 'ends a render server at 20 moments of its queue, and looks for what is lost',
      time: 'minutes',
      command: 'node packages/services/producer/lab/kills.mjs',
    },
    'producer-attacks': {
      does: 'attacks a render server by the network, by compositions and by a full disk',
      time: '3 min',
      command: 'node packages/services/producer/lab/attacks.mjs',
    },
    'producer-overhead': {
      does: 'compares renders through a warm render server with the same ones without it',
      time: 'minutes',
      command: 'node packages/services/producer/lab/overhead.mjs',
    },
  },
  'Hosted API, with Postgres': {
    'cloud-chaos': {
      does: 'kills servers, workers and Postgres while clients submit',
      time: 'minutes',
      command: 'node packages/services/cloud/lab/chaos.mjs',
    },
    'cloud-upgrade': {
      does: 'replaces an older build of the hosted API by this one while renders wait: --from ../vid-before --renders 50',
      time: 'minutes',
      command: 'node packages/services/cloud/lab/upgrade.mjs',
    },
    'cloud-backlog': {
      does: 'takes jobs from a queue of 100,000 and of 1,000,000: the processor time of each, and how many start in a second',
      time: '4 min',
      command: 'node --conditions=development packages/services/cloud/lab/backlog.mjs',
      builds: false,
    },
    'cloud-spread': {
      does: 'renders a composition of a minute on three workers',
      time: 'minutes',
      command: 'node packages/services/cloud/lab/spread.mjs',
    },
    'cloud-overhead': {
      does: 'compares renders through the hosted API with the same ones without it',
      time: 'minutes',
      command: 'node packages/services/cloud/lab/overhead.mjs',
    },
    'cloud-attacks': {
      does: 'renders hostile compositions beside those of another account',
      time: 'minutes',
      command: 'node packages/services/cloud/lab/attacks.mjs',
    },
    'cloud-fairness': {
      does: 'fills all slots for one account, and measures how long another one waits',
      time: 'minutes',
      command: 'node packages/services/cloud/lab/fairness.mjs',
    },
  },
  'AWS and S3': {
    'lambda-simulation': {
      does: 'plays many renders against the limits of an account: time, cost, and which limit is met',
      time: 'minutes',
      command: 'node packages/services/lambda/lab/simulation.mjs',
    },
    'lambda-start': {
      does: 'measures the package of the function: sizes, start, memory; needs an S3 server',
      time: 'minutes',
      command: 'node packages/services/lambda/lab/start.mjs',
    },
    'lambda-chaos': {
      does: 'renders on endpoints of this machine while environments, S3 and calls fail',
      time: 'minutes',
      command: 'node packages/services/lambda/lab/chaos.mjs',
    },
    'smoke-aws': {
      does: 'deploys, renders and destroys on a real account of AWS; asks before it costs anything',
      time: 'minutes',
      command: 'node packages/services/lambda/lab/smoke-aws.mjs',
    },
    aws: {
      does: 'runs a command beside endpoints of AWS on this machine: npm run lab -- aws bash',
      time: 'seconds',
      command: 'node packages/services/lambda/lab/aws.mjs',
    },
    's3-server': {
      does: 'runs a command beside a real S3 server: npm run lab -- s3-server npx vitest run packages/services/s3',
      time: 'minutes',
      command: 'node packages/services/s3/lab/s3-server.mjs',
      builds: false,
    },
  },
  'Releases and containers': {
    'release-version': {
      does: 'raises the versions by the changesets; a workflow runs it',
      time: 'seconds',
      command: 'changeset version && npm install --package-lock-only --ignore-scripts && biome check --write .',
      builds: false,
    },
    'container-recipe': {
      does: 'packs what vid container build builds the image of a checkout from',
      time: '1 min',
      command: 'node scripts/container/recipe.mjs',
    },
    'container-check': {
      does: 'renders in containers of podman, kills and attacks them; needs root and Debian',
      time: 'minutes',
      command: 'node scripts/container/recipe.mjs && node packages/services/container/lab/check.mjs',
    },
  },
}

const list = () => {
  const sections = Object.entries(LAB).map(([title, entries]) => {
    const lines = Object.entries(entries).map(
      ([name, { does, time }]) => `  ${name.padEnd(18)} ${time.padStart(7)}  ${does}`,
    )
    return `${title}\n${lines.join('\n')}\n`
  })
  return `npm run lab -- NAME [flags]\n\n${sections.join('\n')}`
}

/** Runs one command line with further arguments as npm would; resolves to its exit code. */
const run = (line, flags, env) =>
  new Promise((resolve, reject) => {
    const PATH = `${path('node_modules/.bin')}${delimiter}${process.env.PATH}`
    const options = { cwd: path('.'), env: { ...process.env, ...env, PATH }, stdio: 'inherit' }
    // The flags reach the last command of the line as they are, whatever is in them.
    const child = spawn('sh', ['-c', `${line} "$@"`, 'lab', ...flags], options)
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
    // The terminal sends an interrupt to both; the command decides how it ends.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => {
        if (signal !== 'SIGINT') child.kill(signal)
      })
  })

const [name, ...flags] = process.argv.slice(2)
const entry = Object.assign({}, ...Object.values(LAB))[name]
if (name === undefined) console.log(list())
else if (entry === undefined) {
  console.error(`"${name}" is not in the list.\n\n${list()}`)
  process.exitCode = 2
} else {
  const { command, env = {}, builds = true } = entry
  const built = builds ? await run('npm run build --silent', [], {}) : 0
  process.exitCode = built === 0 ? await run(command, flags, env) : built
}
