// Says whether this machine's GPU can draw pages, and what it gains: npm run gpu-check.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import puppeteer from '@vid/capture-puppeteer'
import { definePreset } from '@vid/config'
import file from '@vid/deliver-file'
import mp4 from '@vid/encoder-mp4'
import { inspectRender, openContext, render } from '@vid/render'
import local from '@vid/target-local'
import { path } from './workspaces.mjs'

const { values: flags } = parseArgs({
  options: {
    backend: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    scale: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  console.log(`npm run gpu-check -- [--backend NAME] [--seconds 2] [--scale 1]

Finds the GPU, proves it by a known page, renders three compositions of bench/ on it twice and once without it, and says
whether both runs gave the same bytes, and how much faster they were. Exits with 1 when there is no GPU or the bytes differ.

--backend  vulkan, gl-egl, metal or d3d11 in place of the best one of this system; swiftshader tries this script without a GPU
--seconds  of each composition
--scale    pixels of the picture for each pixel of the composition`)
  process.exit()
}

const COMPOSITIONS = ['full-motion', 'lower-third', 'static-slides']

const interrupt = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupt.abort())
const { signal } = interrupt

const work = mkdtempSync(join(tmpdir(), 'vid-gpu-check-'))
const capture = puppeteer(flags.backend === undefined ? {} : { gpuBackend: flags.backend })
const preset = definePreset({
  ...{ name: 'gpu-check', capture, encoders: [mp4()], deliveries: [file()] },
  ...{ targets: { local: local() }, target: 'local' },
})
// No config file of this repository takes part.
const context = { cwd: work, env: { ...process.env, VID_CACHE: 'off' }, configFrom: 'cwd', presets: [preset] }

const settingsOf = (composition, browserGpu) => ({
  projectDir: path(`bench/compositions/${composition}`),
  ...{ to: `${flags.seconds}s`, scale: flags.scale, workers: 1, cache: false, browserGpu },
})

/** One render: its time from the first stage to the last, without planning and the proof, and a digest of its file. */
const renderOnce = async (composition, browserGpu, name) => {
  let startedMs = 0
  const output = join(work, `${composition}-${name}.mp4`)
  const outcome = await render(
    { ...settingsOf(composition, browserGpu), output },
    {
      ...context,
      signal,
      onEvent(event) {
        if (event.type === 'render-progress' && event.stage === 'render' && startedMs === 0)
          startedMs = performance.now()
        if (event.type === 'warning') console.log(`  ${composition}: ${event.warning.message}`)
      },
    },
  )
  const [{ frames }] = outcome.results
  const ms = performance.now() - startedMs
  const digest = createHash('sha256').update(readFileSync(output)).digest('hex')
  return { ms, frames, digest }
}

const checkComposition = async (composition) => {
  const software = await renderOnce(composition, false, 'processor')
  const one = await renderOnce(composition, true, 'gpu-1')
  const two = await renderOnce(composition, true, 'gpu-2')
  const [slow, fast] = [software.ms, Math.min(one.ms, two.ms)].map((ms) => ms / software.frames)
  return {
    composition,
    frames: software.frames,
    'processor, ms a frame': Number(slow.toFixed(1)),
    'GPU, ms a frame': Number(fast.toFixed(1)),
    'times as fast': Number((slow / fast).toFixed(2)),
    'two runs': one.digest === two.digest ? 'equal bytes' : 'DIFFERENT BYTES',
  }
}

try {
  const open = await openContext(context)
  const found = await inspectRender(settingsOf(COMPOSITIONS[0], true), open, { plan: true, signal })
  console.log(`found  ${found.plan.capture.build.split(', GPU ')[1]}`)
  for (const note of found.notes ?? []) console.log(`proof  ${note}`)
  const rows = []
  for (const composition of COMPOSITIONS) rows.push(await checkComposition(composition))
  console.table(rows)
  if (rows.some((row) => row['two runs'] !== 'equal bytes')) process.exitCode = 1
} catch (thrown) {
  console.error(`${thrown.code ?? 'error'}: ${thrown.message}`)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
