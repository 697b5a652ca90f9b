// Plays many renders on Lambda against the limits of an account, and prints the tables of docs/lambda-scale.md: npm run lab -- lambda-simulation.
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { parseArgs } from 'node:util'
import { estimateRenderCost, knownPrices, readPrices } from '@vid/lambda'

if (!process.features.typescript) register('../../../../scripts/dev/typescript-hooks.mjs', import.meta.url)
const { costOf } = await import('../src/cost/usage.ts')
const { defaultLimits, smallRegionLimits } = await import('./simulation/account-limits.ts')
const { measureCalls, recordsOfList } = await import('./simulation/measured-calls.ts')
const { simulate } = await import('./simulation/simulate.ts')
const { workloadOf } = await import('./simulation/scenario.ts')

const DURATIONS = { '10 s': 10, '1 min': 60, '10 min': 600, '1 h': 3600 }
const RENDERS = [1, 10, 100, 1000, 10_000]

const text = (fallback) => ({ type: 'string', ...(fallback !== undefined && { default: fallback }) })
const { values: flags } = parseArgs({
  options: {
    renders: text(RENDERS.join(',')),
    durations: text(Object.values(DURATIONS).join(',')),
    format: text('mp4'),
    size: text('1920x1080'),
    fps: text('30'),
    level: text('expected'),
    'max-parallel-chunks': text('16'),
    'target-chunk-frames': text(),
    'chunk-size': text(),
    memory: text('10240'),
    concurrency: text('1000'),
    'small-region': { type: 'boolean', default: false },
    'max-attempts': text(),
    'max-delay': text(),
    'max-renders': text(),
    region: text('us-east-1'),
    prices: text(),
    calls: text(),
    seed: text('1'),
    estimates: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const usage = `npm run lab -- lambda-simulation [options]

--renders, --durations   lists: numbers of renders, seconds of each
--format, --size, --fps  of the renders (mp4, 1920x1080, 30)
--level                  low, expected or high: how much a frame costs; see docs/lambda-scale.md
--calls FILE             times of a real render instead: what
                         aws s3api list-objects-v2 --bucket BUCKET --prefix renders/ID/calls/ prints
--max-parallel-chunks, --target-chunk-frames, --chunk-size, --memory   as in vid lambda render and deploy
--concurrency            calls that the account runs at once (1000)
--small-region           quotas of Step Functions outside North Virginia, Oregon and Ireland
--max-attempts, --max-delay   how often a refused call is tried again, and seconds between two attempts at most
--max-renders            renders that their caller lets run at once (all)
--region, --prices FILE  for the cost
--estimates              the table of what a minute of each format costs instead
--seed, --json`
if (flags.help) {
  console.log(usage)
  process.exit()
}

const refuse = (problem) => {
  console.error(`${problem}\n\n${usage}`)
  process.exit(2)
}
const whole = (name, value = flags[name]) => {
  if (!/^[1-9]\d{0,8}$/.test(value)) refuse(`--${name} must be a whole number from 1; got "${value}"`)
  return Number(value)
}
const wholes = (name) => flags[name].split(',').map((value) => whole(name, value))
const [, width, height] = /^(\d+)x(\d+)$/.exec(flags.size) ?? refuse(`--size "${flags.size}" is no size`)
if (!['low', 'expected', 'high'].includes(flags.level)) refuse(`--level "${flags.level}" is unknown`)

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (thrown) {
    return refuse(`${path} cannot be read as JSON: ${thrown.message}`)
  }
}
const measured = flags.calls && measureCalls(recordsOfList(readJson(flags.calls)))
if (flags.calls && !measured) refuse(`--calls ${flags.calls} lists no call that rendered a chunk`)
const readOwn = () => readPrices(flags.prices).catch((thrown) => refuse(thrown.message))
const priceTable = flags.prices ? await readOwn() : knownPrices
const prices = priceTable.regions[flags.region]
if (!prices) refuse(`--region ${flags.region} has no prices`)

const base = flags['small-region'] ? smallRegionLimits : defaultLimits
const limits = {
  ...base,
  concurrency: whole('concurrency'),
  retry: {
    ...base.retry,
    ...(flags['max-attempts'] && { maxAttempts: whole('max-attempts') }),
    ...(flags['max-delay'] && { maxDelaySeconds: whole('max-delay') }),
  },
}
const chunkSettings = {
  maxParallelChunks: whole('max-parallel-chunks'),
  ...(flags['target-chunk-frames'] && { targetChunkFrames: whole('target-chunk-frames') }),
  ...(flags['chunk-size'] && { chunkSize: whole('chunk-size') }),
}
const memoryMb = whole('memory')

const run = (renders, durationSeconds) => {
  const scenario = workloadOf({
    renders,
    durationSeconds,
    fps: whole('fps'),
    format: flags.format,
    level: flags.level,
    memoryMb,
    width: Number(width),
    height: Number(height),
    ...chunkSettings,
    ...(measured && { measured }),
    ...(flags['max-renders'] && { maxRenders: whole('max-renders') }),
  })
  if ('problems' in scenario) return { renders, durationSeconds, problems: scenario.problems }
  const result = simulate({ workload: scenario.workload, limits, seed: whole('seed') })
  const { usd, byPart } = costOf(result.usage, { memoryMb, storageMb: 10_240 }, prices)
  return { renders, durationSeconds, workload: scenario.workload, ...result, usd, byPart }
}

const time = (seconds) => {
  if (seconds < 100) return `${Math.round(seconds)} s`
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
const money = (usd) => (usd < 10 ? usd.toFixed(2) : Math.round(usd).toLocaleString('en'))
const hours = (value) => (value < 10 ? value.toFixed(2) : count(value))
const count = (value) => Math.round(value).toLocaleString('en')
const nameOf = (seconds) => Object.entries(DURATIONS).find(([, value]) => value === seconds)?.[0] ?? `${seconds} s`

const HEAD = [
  'Renders',
  'of',
  'chunks each',
  'ends after',
  'median render',
  'function hours',
  'US dollars',
  'refused calls',
  'at once',
  'failed',
  'limit',
]
const cells = (row) => {
  if (row.problems)
    return [count(row.renders), nameOf(row.durationSeconds), ...Array(8).fill('–'), `refused: ${row.problems[0].field}`]
  const failed = Object.values(row.failures).reduce((sum, number) => sum + number, 0)
  return [
    count(row.renders),
    nameOf(row.durationSeconds),
    count(row.workload.chunks),
    time(row.wallSeconds),
    row.finishedRenders > 0 ? time(row.medianSeconds) : '–',
    hours(row.usage.billedSeconds / 3600),
    money(row.usd),
    count(row.throttles),
    count(row.peakConcurrency),
    count(failed),
    row.bites ?? '–',
  ]
}

const FORMATS = ['mp4', 'webm', 'mov', 'gif', 'png-sequence']
const SIZES = ['1280x720', '1920x1080', '3840x2160']

const estimateRow = (format, size) => {
  const [width, height] = size.split('x').map(Number)
  const config = { fps: whole('fps'), width, height, format, ...chunkSettings }
  const estimate = estimateRenderCost({
    config,
    durationSeconds: 60,
    region: flags.region,
    memoryMb,
    prices: priceTable,
  })
  const levels = [estimate.low, estimate.expected, estimate.high]
  return [format, size, ...levels.map(({ usd }) => usd.toFixed(3)), ...levels.map(({ seconds }) => time(seconds))]
}

if (flags.estimates) {
  const head = ['Format', 'Size', 'low, $', 'expected, $', 'high, $', 'low', 'expected', 'high']
  console.log(`| ${head.join(' | ')} |\n| ${head.map(() => '---').join(' | ')} |`)
  for (const format of FORMATS) for (const size of SIZES) console.log(`| ${estimateRow(format, size).join(' | ')} |`)
  process.exit()
}

const rows = wholes('durations').flatMap((duration) => wholes('renders').map((renders) => [renders, duration]))
if (flags.json)
  console.log(
    JSON.stringify(
      rows.map(([renders, duration]) => run(renders, duration)),
      null,
      2,
    ),
  )
else {
  console.log(`| ${HEAD.join(' | ')} |\n| ${HEAD.map(() => '---').join(' | ')} |`)
  for (const [renders, duration] of rows) console.log(`| ${cells(run(renders, duration)).join(' | ')} |`)
}
