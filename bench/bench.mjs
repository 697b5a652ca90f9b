// Renders the compositions of bench/ through the built command and says what each stage cost: npm run bench.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { path } from '../scripts/workspaces.mjs'
import { alphaFormats, measureAlpha } from './measure/alpha-alone.mjs'
import { BATCH, benchBatch, describeBatch } from './measure/batch-rows.mjs'
import { watchEncoders } from './measure/encoder-watch.mjs'
import { makeFootage, sourceCost } from './measure/footage.mjs'
import { measureRun } from './measure/measured-run.mjs'
import { benchMemory, describeMemory, MEMORY_COMPOSITIONS } from './measure/memory.mjs'
import { benchPeers, describePeers, peerCompositions } from './measure/peers/peers.mjs'
import { benchReuse, describeReuse, REUSE } from './measure/reuse.mjs'
import { measureX264 } from './measure/x264-alone.mjs'

const compositions = readdirSync(path('bench/compositions'))
const { values: flags } = parseArgs({
  options: {
    runs: { type: 'string' },
    only: { type: 'string' },
    quality: { type: 'string', default: 'standard' },
    beside: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
    scale: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const usage = `npm run bench -- [--runs N] [--only NAME,…] [--quality draft|standard|high] [--beside] [--json]
       npm run bench -- --peers [--runs N] [--only NAME,…] [--quality draft|standard|high] [--json]
       npm run bench -- --memory [--runs N] [--only NAME,…] [--quality draft|standard|high] [--workers N] [--scale N] [--json]

--runs     render each composition so often, and report the run with the median wall time
--only     any of ${[...compositions, BATCH, REUSE].join(', ')}
--quality  as in vid render
--beside   tell what all mp4 renders cost without their encoders, not only those of footage; they start slower
--peers    renders with HyperFrames and Remotion too, installed once into the cache folder, and prints ratios;
           --only takes ${Object.keys(peerCompositions).join(', ')}; --runs is 3 unless it is given
--memory   the most memory that renders take, and what it is made of; --only takes
           ${Object.keys(MEMORY_COMPOSITIONS).join(', ')}; --workers is 1 unless it is given, and --scale is that of vid render
--json     one JSON array instead of the table`

const refuse = (problem) => {
  console.error(`${problem}\n\n${usage}`)
  process.exit(2)
}
if (flags.help) {
  console.log(usage)
  process.exit()
}
const runs = Number(flags.runs ?? (flags.peers ? 3 : 1))
if (!Number.isInteger(runs) || runs < 1) refuse(`--runs must be a whole number from 1; got "${flags.runs}"`)
const names = new Set(flags.only?.split(','))
const peers = flags.peers
  ? Object.keys(peerCompositions)
  : flags.memory
    ? Object.keys(MEMORY_COMPOSITIONS)
    : [...compositions, BATCH, REUSE]
for (const name of names) if (!peers.includes(name)) refuse(`--only "${name}" is unknown`)

const interrupt = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupt.abort())
const { signal } = interrupt

if (flags.peers) {
  const chosen = names.size === 0 ? peers : [...names]
  const onRow = ({ composition, peer }) => console.error(`measured ${composition} with ${peer}`)
  const result = await benchPeers({ names: chosen, runs, quality: flags.quality, signal, onRow })
  console.log(flags.json ? JSON.stringify(result, null, 2) : describePeers(result))
  // One peer that cannot run here is part of the result; none, or a comparison that failed, is not.
  const isWhole = result.peers.length > 0 && result.rows.every(({ problem }) => problem === undefined)
  process.exit(isWhole ? 0 : 1)
}

if (flags.memory) {
  const rendering = ['--quality', flags.quality, '--workers', flags.workers]
  const onRow = (row) => flags.json || console.log(describeMemory(row))
  const result = await benchMemory({
    names: names.size === 0 ? peers : [...names],
    runs,
    signal,
    onRow,
    flags: [...rendering, ...(flags.scale === undefined ? [] : ['--scale', flags.scale])],
  })
  if (flags.json) console.log(JSON.stringify(result, null, 2))
  process.exit()
}

/** One render: the whole, its stages in order, and when the first frame was there. */
const renderOnce = async ({ composition, format }, output, env) => {
  const marks = []
  let complete
  let firstFrameMs
  const onLine = (line, reading) => {
    const event = JSON.parse(line)
    if (event.type === 'render-complete') complete = event
    if (event.type !== 'render-progress') return
    if (event.framesRendered > 0) firstFrameMs ??= reading().wallMs
    if (event.stage !== marks.at(-1)?.stage) marks.push({ stage: event.stage, ...reading() })
  }
  const args = ['render', path(`bench/compositions/${composition}`), '--json', '--no-cache']
  const settings = ['--format', format, '--output', output, '--quality', flags.quality]
  const whole = await measureRun(process.execPath, [path('packages/engine/cli/bin/vid.js'), ...args, ...settings], {
    onLine,
    memory: true,
    env,
    signal,
  })
  if (!complete) throw new Error(`the render of ${composition} ended without render-complete`)
  // A stage lasts until the next begins; what comes before the first is the command's start.
  const starts = [{ stage: 'start', wallMs: 0, cpuMs: 0 }, ...marks, { wallMs: whole.wallMs, cpuMs: whole.cpuMs }]
  const stages = starts.slice(0, -1).map(({ stage, wallMs, cpuMs }, index) => ({
    stage,
    wallMs: starts[index + 1].wallMs - wallMs,
    cpuMs: starts[index + 1].cpuMs - cpuMs,
  }))
  return { ...whole, stages, firstFrameMs, frames: complete.frames, fileSize: complete.fileSize }
}

/** The formats that a composition is rendered as. */
const formatsOf = (composition) => (composition === 'lower-third' ? alphaFormats : ['mp4'])

const bench = async (composition, format) => {
  const folder = mkdtempSync(join(tmpdir(), 'vid-bench-'))
  try {
    const output = join(folder, `video.${format}`)
    const measureEncoder = format === 'mp4' ? measureX264 : measureAlpha
    const request = { format, quality: flags.quality }
    const all = []
    for (let run = 0; run < runs; run += 1) {
      const isFootage = composition.startsWith('footage')
      if (isFootage) await makeFootage(signal)
      const isWatched = isFootage || (flags.beside && format === 'mp4')
      const watch = isWatched ? await watchEncoders(folder, signal) : undefined
      const render = await renderOnce({ composition, format }, output, watch?.env)
      if (watch) render.encodingCpuMs = watch.cpuMs()
      all.push({ render, encoder: await measureEncoder(output, request, render.frames, signal) })
    }
    const { render, encoder } = all.sort((a, b) => a.render.wallMs - b.render.wallMs)[Math.floor((runs - 1) / 2)]
    return {
      composition,
      format,
      quality: flags.quality,
      runs,
      cores: cpus().length,
      node: process.version,
      ...render,
      framesPerSecond: (render.frames / render.wallMs) * 1000,
      cpuMsPerFrame: render.cpuMs / render.frames,
      encoder,
      timesEncoder: render.wallMs / encoder.wallMs,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`
const printTable = (result) => {
  const { composition, format, frames, stages, encoder } = result
  console.log(
    `\n${composition}: ${format}, ${frames} frames, ${result.quality}, ${result.cores} cores, Node ${result.node}\n`,
  )
  const row = (label, { wallMs, cpuMs }) =>
    console.log(
      `  ${label.padEnd(15)} ${seconds(wallMs).padStart(9)} wall ${seconds(cpuMs).padStart(9)} CPU ${(cpuMs / frames).toFixed(1).padStart(7)} CPU-ms a frame`,
    )
  for (const stage of stages) row(stage.stage, stage)
  row('whole', result)
  row(`${encoder.name} alone`, encoder)
  const { cpuMs, encodingCpuMs } = result
  if (encodingCpuMs !== undefined)
    console.log(
      `\n  beside its encoders, which used ${seconds(encodingCpuMs)} of CPU: ${((cpuMs - encodingCpuMs) / frames).toFixed(1)} CPU-ms a frame`,
    )
  console.log(
    `\n  ${result.framesPerSecond.toFixed(1)} frames a second, ${result.timesEncoder.toFixed(2)} times ${encoder.name} alone, first frame after ${seconds(result.firstFrameMs)}, peak memory ${Math.round(result.memoryBytes / 2 ** 20)} MiB, file ${Math.round(result.fileSize / 1024)} KiB`,
  )
}

const results = []
for (const name of compositions) {
  if (flags.only !== undefined && !names.has(name)) continue
  for (const format of formatsOf(name)) {
    results.push(await bench(name, format))
    if (!flags.json) printTable(results.at(-1))
  }
}
const cost = sourceCost(results)
if (cost !== undefined && !flags.json)
  console.log(
    `\nA 1080p H.264 source costs ${cost.toFixed(1)} CPU-ms a frame: footage less footage-still, their encoders apart.`,
  )
if (flags.only === undefined || names.has(BATCH)) {
  const batch = await benchBatch({ runs, quality: flags.quality, signal })
  results.push(batch)
  if (!flags.json) console.log(describeBatch(batch))
}
if (flags.only === undefined || names.has(REUSE)) {
  const reuse = await benchReuse({ quality: flags.quality, signal })
  results.push(reuse)
  if (!flags.json) console.log(describeReuse(reuse))
}
if (flags.json) console.log(JSON.stringify(results, null, 2))
