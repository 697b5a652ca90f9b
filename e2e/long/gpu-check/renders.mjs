// Renders of a check: by one way to the GPU or by the processor, watched from this process.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import puppeteer from '@vid/capture-puppeteer'
import { definePreset } from '@vid/config'
import file from '@vid/deliver-file'
import mp4 from '@vid/encoder-mp4'
import { findFfmpeg } from '@vid/ffmpeg'
import { inspectRender, openContext, render } from '@vid/render'
import local from '@vid/target-local'
import { path } from '../../../scripts/workspaces.mjs'
import { descendants, kill } from '../support/processes.mjs'
import { say } from './machine.mjs'

/** What is rendered, of at most `seconds` seconds. */
export const COMPOSITIONS = [
  { name: 'full-motion', projectDir: path('bench/compositions/full-motion'), seconds: 4 },
  { name: 'lower-third', projectDir: path('bench/compositions/lower-third'), seconds: 4 },
  { name: 'static-slides', projectDir: path('bench/compositions/static-slides'), seconds: 4 },
  { name: 'webgl', projectDir: path('e2e/projects/webgl'), entry: 'march.html', seconds: 0.2 },
]

/** Renders with one browser, by one backend of it; results go to `work`, and no config file takes part. */
export const createRenders = ({ work, executablePath, backend, seconds, scale, signal }) => {
  const gpuBackend = backend === undefined ? {} : { gpuBackend: backend }
  const capture = puppeteer({ ...gpuBackend, ...(executablePath && { executablePath }) })
  const preset = definePreset({
    name: 'gpu-check',
    capture,
    encoders: [mp4()],
    deliveries: [file()],
    targets: { local: local() },
    target: 'local',
  })
  const context = {
    cwd: work,
    env: { ...process.env, VID_CACHE: 'off' },
    configFrom: 'cwd',
    presets: [preset],
  }
  const settingsOf = ({ projectDir, entry, seconds: most }, browserGpu) => ({
    projectDir,
    browserGpu,
    scale,
    workers: 1,
    cache: false,
    to: `${Math.min(most, seconds)}s`,
    ...(entry && { entry }),
  })

  /** What the plan of a render says about the GPU; throws without a plan. */
  const plan = async () => {
    const settings = settingsOf(COMPOSITIONS[0], true)
    const startedMs = performance.now()
    const { plan, notes = [] } = await inspectRender(settings, await openContext(context), {
      plan: true,
      signal,
    })
    const ms = Math.round(performance.now() - startedMs)
    return { build: plan.capture.build, name: plan.capture.build.split(', GPU ')[1], notes, ms }
  }

  /** One render: its time from the first stage to the last, without planning and the proof, and a digest of its file. */
  const once = async (composition, browserGpu, name, { onFrame, ...more } = {}) => {
    let startedMs = 0
    const output = join(work, `${composition.name}-${name}.mp4`)
    const warnings = []
    const onEvent = (event) => {
      if (event.type === 'warning') warnings.push(event.warning)
      if (event.type !== 'render-progress' || event.stage !== 'render') return
      if (startedMs === 0) startedMs = performance.now()
      if (event.framesRendered > 0) onFrame?.()
    }
    const settings = { ...settingsOf(composition, browserGpu), ...more, output, force: true }
    const outcome = await render(settings, { ...context, signal, onEvent })
    const [{ frames }] = outcome.results
    const ms = performance.now() - startedMs
    return {
      ms,
      frames,
      output,
      warnings,
      digest: createHash('sha256').update(readFileSync(output)).digest('hex'),
    }
  }

  /** Kills the process that draws after the first frames of a render. */
  const onceKilled = async (composition, name, more) => {
    let killed = 0
    const onFrame = () => {
      if (killed > 0) return
      const drawing = descendants(process.pid).find(({ command }) => command.includes('--type=gpu-process'))
      if (drawing) kill(drawing.pid)
      if (drawing) killed += 1
    }
    return { ...(await once(composition, true, name, { ...more, onFrame })), killed }
  }
  return { plan, once, onceKilled }
}

/** Lowest similarity of the frames of two videos in dB. */
export const similarity = async (one, other) => {
  const { ffmpeg } = await findFfmpeg()
  const inputs = ['-hide_banner', '-i', one, '-i', other]
  const said = say(ffmpeg, ...inputs, '-lavfi', 'psnr', '-f', 'null', '-')
  return /PSNR .*\bmin:(\S+)/.exec(said)?.[1] ?? `unknown (${said.slice(-200)})`
}
