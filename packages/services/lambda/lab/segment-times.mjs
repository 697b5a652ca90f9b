// Measures what a frame of each format and size costs, for estimates and the simulation of renders on Lambda: npm run lab -- segment-times.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureRun } from '../../../../bench/measure/measured-run.mjs'
import { path } from '../../../../scripts/workspaces.mjs'

/** Two lengths each, in seconds: the difference is what frames cost, the rest is the start. */
const COMPOSITIONS = {
  'static-slides': [1, 6],
  'lower-third': [0.5, 3],
  'full-motion': [0.4, 1.6],
}
const FORMATS = ['mp4', 'webm', 'mov', 'gif', 'png-sequence']
const SIZES = ['1920x1080', '3840x2160']
const FPS = 30

const usage = `npm run lab -- segment-times [--only COMPOSITION] [--format FORMAT] [--size SIZE] [--out FILE]

--only    one of ${Object.keys(COMPOSITIONS).join(', ')}; all if left out
--format  one of ${FORMATS.join(', ')}; all if left out
--size    one of ${SIZES.join(', ')}; all if left out
--out     JSON file; rows that it has of other measurements stay (default segment-times.json)`

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    format: { type: 'string' },
    size: { type: 'string' },
    out: { type: 'string', default: 'segment-times.json' },
    help: { type: 'boolean', default: false },
  },
})
const choose = (name, all) => {
  if (flags[name] === undefined) return all
  if (all.includes(flags[name])) return [flags[name]]
  console.error(`--${name} "${flags[name]}" is unknown\n\n${usage}`)
  process.exit(2)
}
if (flags.help) {
  console.log(usage)
  process.exit()
}
const matrix = {
  compositions: choose('only', Object.keys(COMPOSITIONS)),
  formats: choose('format', FORMATS),
  sizes: choose('size', SIZES),
}

const interrupt = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupt.abort())

const measure = async (composition, format, size, seconds) => {
  const folder = mkdtempSync(join(tmpdir(), 'vid-times-'))
  try {
    let complete
    const args = ['render', path(`bench/compositions/${composition}`), '--json', '--no-cache', '--workers', '1']
    const settings = ['--format', format, '--resolution', size, '--fps', `${FPS}`, '--to', `${seconds}s`]
    const output = ['--output', join(folder, format === 'png-sequence' ? 'frames' : `video.${format}`)]
    const run = await measureRun(
      process.execPath,
      [path('packages/engine/cli/bin/vid.js'), ...args, ...settings, ...output],
      {
        onLine: (line) => {
          const event = JSON.parse(line)
          if (event.type === 'render-complete') complete = event
        },
        memory: true,
        signal: interrupt.signal,
      },
    )
    if (!complete) throw new Error(`the render of ${composition} ended without render-complete`)
    return { ...run, frames: complete.frames, bytes: complete.fileSize }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const round = (value, digits = 4) => Number(value.toFixed(digits))

const row = async (composition, format, size) => {
  const [short, long] = COMPOSITIONS[composition]
  const less = await measure(composition, format, size, short)
  const more = await measure(composition, format, size, long)
  const frames = more.frames - less.frames
  const perFrame = (of) => (more[of] - less[of]) / frames
  const [width, height] = size.split('x').map(Number)
  return {
    composition,
    format,
    width,
    height,
    frames,
    cpuSecondsPerFrame: round(perFrame('cpuMs') / 1000),
    wallSecondsPerFrame: round(perFrame('wallMs') / 1000),
    startCpuSeconds: round((less.cpuMs - perFrame('cpuMs') * less.frames) / 1000, 2),
    bytesPerFrame: Math.round(more.bytes / more.frames),
    peakMb: Math.round(more.memoryBytes / 2 ** 20),
  }
}

const keyOf = ({ composition, format, width }) => `${composition} ${format} ${width}`
const rowsBefore = existsSync(flags.out) ? JSON.parse(readFileSync(flags.out, 'utf8')).rows : []
const rows = new Map(rowsBefore.map((one) => [keyOf(one), one]))
for (const size of matrix.sizes)
  for (const format of matrix.formats)
    for (const composition of matrix.compositions) {
      const measured = await row(composition, format, size)
      rows.set(keyOf(measured), measured)
      console.log(JSON.stringify(measured))
      const machine = `${cpus().length} × ${cpus()[0].model.trim()}, Node ${process.version}`
      const sorted = [...rows.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      const result = { date: new Date().toISOString().slice(0, 10), machine, fps: FPS, rows: sorted }
      writeFileSync(flags.out, `${JSON.stringify(result, null, 2)}\n`)
    }
