// Renders the same compositions with vid and with other programs, in turn.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { findBrowser } from '@vid/browser'
import { findFfmpeg, probeMedia, readX264Info } from '@vid/ffmpeg'
import { checkRequest } from '@vid/protocol'
import mp4 from '../../../plugins/encoder-mp4/dist/index.js'
import { path } from '../../../scripts/workspaces.mjs'
import { makeClip, makeFootage } from '../footage.mjs'
import { measureRun } from '../measured-run.mjs'
import { measureX264 } from '../x264-alone.mjs'
import { openHyperframes } from './hyperframes.mjs'
import { compareVideos, isSamePicture } from './likeness.mjs'
import { ratioTable } from './ratio-table.mjs'
import { openRemotion } from './remotion.mjs'

const BENCH = ['tiny', 'full-motion', 'cards', 'static-slides', 'footage']
const EXAMPLES = [
  'blank',
  'hello',
  'kinetic-type',
  'quotes',
  'social-post',
  'data-chart',
  'year-in-numbers',
  'code-walk',
]

/** Written in the style of the compositions that peers show: glass, cards in 3D, maps, particles and others. */
const REGISTRY = readdirSync(path('bench/registry'))

/** The compositions that are compared, by name: their folders. */
export const peerCompositions = Object.fromEntries([
  ...BENCH.map((name) => [name, `bench/compositions/${name}`]),
  ...EXAMPLES.map((name) => [name, `examples/${name}`]),
  ...REGISTRY.map((name) => [name, `bench/registry/${name}`]),
])

const FPS = 30
const PEERS = { HyperFrames: openHyperframes, Remotion: openRemotion }
/** A program that hangs must not keep the others from being measured. */
const MAX_MS = 15 * 60_000

const vidCommand = (composition, output, { fps, quality, crf }) => ({
  program: process.execPath,
  args: [
    path('packages/engine/cli/bin/vid.js'),
    'render',
    path(composition),
    '--output',
    output,
    '--no-cache',
    '--quiet',
    '--fps',
    `${fps}`,
    '--quality',
    quality,
    '--crf',
    `${crf}`,
  ],
})

const measure = async ({ program, args, env }, signal) => {
  const said = []
  const onLine = (line) => said.splice(0, said.length, ...said.slice(-5), line)
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)])
    return await measureRun(program, args, { env, onLine, signal: limit })
  } catch (cause) {
    // Some programs report why they failed on stdout.
    throw new Error(`${cause.message.trim()}\n${said.join('\n')}`, { cause })
  }
}

/** Where two videos differ in size, frames or the settings of x264. */
const differences = async (reference, other, signal) => {
  const [ours, theirs] = await Promise.all(
    [reference, other].map(async (file) => {
      const { width, height, frames } = (await probeMedia(file, { signal })).video[0]
      const { crf, subme, bframes, ref, rc_lookahead, keyint, threads } = (await readX264Info(file))?.options ?? {}
      return { width, height, frames, crf, subme, bframes, ref, rc_lookahead, keyint, threads }
    }),
  )
  return Object.keys(ours)
    .filter((name) => ours[name] !== theirs[name])
    .map((name) => `${name} ${ours[name]} and ${theirs[name]}`)
}

/** The time that x264 alone needs for the frames of a video of vid. */
const encodeAgain = async (video, { fps, quality, crf }, signal) => {
  const { frames } = (await probeMedia(video, { signal })).video[0]
  return measureX264(video, { format: 'mp4', fps, quality, crf }, frames, signal)
}

const compareOne = async ({ composition, peer, settings, runs, work, signal }) => {
  const row = { composition: basename(composition), peer: peer.name }
  const [ours, theirs] = ['vid', 'peer'].map((side) => join(work, `${side}.mp4`))
  try {
    const pairs = []
    const command = peer.commandOf(composition, theirs, settings)
    for (let run = 0; run < runs; run += 1) {
      const vid = await measure(vidCommand(composition, ours, settings), signal)
      const other = await measure(command, signal)
      pairs.push({ vid, peer: other, x264: await encodeAgain(ours, settings, signal) })
    }
    const likeness = await compareVideos(ours, theirs, work, signal)
    const differs = await differences(ours, theirs, signal)
    if (isSamePicture(likeness)) return { ...row, pairs, likeness, differs }
    const missing = `${Math.round(likeness.missing * 100)} % of the picture differs`
    return { ...row, pairs, likeness, differs, problem: `not counted: ${missing}` }
  } catch (error) {
    signal.throwIfAborted()
    return { ...row, pairs: [], problem: 'failed', error: error.message }
  } finally {
    for (const file of [ours, theirs]) rmSync(file, { force: true })
  }
}

/** The programs that run here, and why the others do not. */
const openPeers = async (context) => {
  const opened = []
  const problems = []
  for (const [name, open] of Object.entries(PEERS)) {
    try {
      opened.push(await open(context))
    } catch (error) {
      context.signal.throwIfAborted()
      problems.push({ peer: name, problem: error.message })
    }
  }
  return { opened, problems }
}

const settingsOf = (quality) => {
  const encoder = mp4()
  const checked = checkRequest({ projectDir: '.', output: 'video.mp4', format: 'mp4', quality, fps: FPS })
  const { preset, crf } = encoder.settings(checked, encoder.options)
  return { fps: FPS, quality, preset, crf }
}

/** Renders each composition of `names` with vid and each program that plays it, in turn; `onRow` sees each result. */
export const benchPeers = async ({ names, runs, quality, signal, onRow = () => {} }) => {
  const work = mkdtempSync(join(tmpdir(), 'vid-bench-'))
  try {
    const browser = await findBrowser({ signal })
    const tools = await findFfmpeg({ signal })
    const settings = settingsOf(quality)
    const { opened, problems } = await openPeers({ browser, tools, work, signal })
    const loadBefore = loadavg()[0]
    const rows = []
    for (const composition of names.map((name) => peerCompositions[name])) {
      if (composition.endsWith('footage')) await makeFootage(signal)
      if (composition.endsWith('video-captions')) await makeClip(signal)
      for (const peer of opened.filter(({ plays }) => plays(composition))) {
        rows.push(await compareOne({ composition, peer, settings, runs, work, signal }))
        onRow(rows.at(-1))
      }
    }
    const peers = opened.map(({ name, version }) => ({ name, version }))
    const load = [loadBefore, loadavg()[0]]
    const machine = { cores: cpus().length, load, node: process.version, browser: browser.version }
    return { settings, runs, machine, peers, problems, rows }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** What `benchPeers` found, as text with a table. */
export const describePeers = ({ settings, runs, machine, peers, problems, rows }) => {
  const { quality, fps, preset, crf } = settings
  const compared = peers.map(({ name, version }) => `${name} ${version}`).join(', ')
  const [before, after] = machine.load.map((load) => load.toFixed(1))
  const differing = rows.flatMap(({ peer, differs = [] }) =>
    differs.map((difference) => `vid and ${peer}: ${difference}`),
  )
  return [
    `\nvid and ${compared}: ${quality} (x264 ${preset}, CRF ${crf}), ${fps} fps, ${runs} runs each in turn`,
    `${machine.cores} cores, load ${before} before and ${after} after, Node ${machine.node}, browser ${machine.browser} for all\n`,
    ratioTable(rows),
    ...(differing.length === 0 ? [] : [`\nWhere the files differ: ${[...new Set(differing)].join('; ')}`]),
    ...problems.map(({ peer, problem }) => `\n${peer} cannot run here: ${problem}`),
    ...rows.flatMap(({ composition, peer, error }) =>
      error === undefined ? [] : [`\n${composition} with ${peer}: ${error}`],
    ),
  ].join('\n')
}
