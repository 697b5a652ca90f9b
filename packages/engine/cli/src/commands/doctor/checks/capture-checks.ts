import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeScreenshot } from '@vid/browser'
import { createKernel, defineEncoder, type Frame, noSources, type PluginOf, takesRequests } from '@vid/kernel'
import { checkRequest, type RenderRequest, type Warning } from '@vid/protocol'
import { rasterText } from '../../../raster-text.ts'
import { type Bench, ownPlugins } from '../bench.ts'
import type { Trial, TrialFinding } from '../check.ts'
import { mendBrowser } from '../mending.ts'
import { frameProblem, PAGE_SIZE } from '../trial-page.ts'

const FORMAT = 'png'

/** Keeps the one frame that is captured. */
const frameKeeper = (keep: (frame: Frame) => void) =>
  defineEncoder({
    name: '@vid/cli/doctor',
    formats: [FORMAT],
    accepts: ['rgba', 'png'],
    async encode(frames, { path }) {
      for await (const frame of frames) {
        // A Buffer's own slice would be a view of pixels that a later frame overwrites.
        keep({ ...frame, data: new Uint8Array(frame.data) })
        await writeFile(path, frame.data)
      }
      return { file: path }
    },
  })()

const pixelsOf = ({ format, data }: Frame) => (format === 'png' ? decodeScreenshot(data) : { ...PAGE_SIZE, data })

const requestOf = (folder: string, browserGpu: RenderRequest['browserGpu']): RenderRequest =>
  checkRequest({
    projectDir: folder,
    output: join(folder, 'frame'),
    format: FORMAT,
    sdr: true,
    browserGpu,
  })

/** Captures the first frame of the trial page. */
const captureFrame = async (
  bench: Bench,
  capture: PluginOf<'capture'>,
  browserGpu: RenderRequest['browserGpu'],
  signal: AbortSignal,
) => {
  let frame: Frame | undefined
  const warnings: Warning[] = []
  const keeper = frameKeeper((captured) => {
    frame = captured
  })
  const kernel = createKernel({ capture, encoders: [keeper], plugins: ownPlugins(bench) })
  const run = await kernel.open({
    projectDir: bench.folder,
    signal,
    onEvent: (event) => void (event.type === 'warning' && warnings.push(event.warning)),
  })
  try {
    const plan = await run.plan(requestOf(bench.folder, browserGpu))
    await run.renderSegment({ ...plan, segments: [{ index: 0, start: 0, frames: 1 }] }, 0)
    return { frame, plan, warnings, notes: [...run.notes] }
  } finally {
    await run.close()
  }
}

const look = async (
  bench: Bench,
  capture: PluginOf<'capture'>,
  browserGpu: RenderRequest['browserGpu'],
  signal: AbortSignal,
): Promise<TrialFinding & Pick<Awaited<ReturnType<typeof captureFrame>>, 'plan' | 'notes'>> => {
  const { frame, plan, warnings, notes } = await captureFrame(bench, capture, browserGpu, signal)
  const problem = frame ? frameProblem(pixelsOf(frame)) : 'no frame was captured'
  const more = { plan, notes }
  if (problem !== undefined) return { ...more, failed: true, detail: problem, hint: HINT }
  const [warning] = warnings
  const detail = 'the frame matches the page'
  if (!warning) return { ...more, detail }
  return { ...more, detail: `${detail}; ${warning.message}`, hint: warning.hint ?? '' }
}

const HINT = 'Unset VID_BROWSER_PATH and the options of the capture engine, or reinstall the packages of vid.'

/** The ways in which an engine captures, as its options name them; `auto` alone for one without such an option. */
const lanesOf = ({ optionsSchema }: PluginOf<'capture'>): readonly string[] => {
  const { lane } = (optionsSchema?.properties ?? {}) as {
    readonly lane?: { readonly anyOf?: readonly { readonly const?: unknown }[] }
  }
  return lane?.anyOf?.flatMap((choice) => (typeof choice.const === 'string' ? [choice.const] : [])) ?? []
}

/** The engine's browser. */
export const browserTrial = ({ config, folder, open }: Bench): Trial => ({
  name: 'browser',
  required: true,
  missing: 'every render',
  needs: ['cache folder', 'fonts'],
  hint: HINT,
  command: open.env.VID_BROWSER_PATH ? 'unset VID_BROWSER_PATH' : 'vid browser install',
  mend: (signal) => mendBrowser(config.setup.capture, { env: open.env, signal }),
  async look(signal) {
    const { capture } = config.setup
    const context = { options: capture.options, signal, projectDir: folder, workDir: folder }
    return { detail: await capture.build({ ...context, sources: noSources, warn: () => {} }) }
  },
})

/** A frame in each way that the engine of the config captures. */
export const captureTrials = (bench: Bench): readonly Trial[] => {
  const { capture } = bench.config.setup
  const needs = ['scratch folder', 'browser']
  const chosen = capture.options.lane ?? 'auto'
  const lanes = lanesOf(capture)
  if (lanes.length === 0)
    return [
      {
        name: 'capture',
        required: true,
        missing: 'every render',
        needs,
        hint: HINT,
        look: (signal) => look(bench, capture, false, signal),
      },
    ]
  return lanes.map((lane) => ({
    name: `capture ${lane}`,
    required: lane === chosen,
    missing: lane === chosen ? 'every render' : 'speed, or pages that no other lane can capture',
    needs,
    hint: HINT,
    mend: (signal) => mendBrowser(capture, { env: bench.open.env, signal }),
    look: (signal) => look(bench, { ...capture, options: { ...capture.options, lane } }, false, signal),
  }))
}

/** With which instruction sets pages are drawn. */
export const rasterTrial = (bench: Bench): Trial => {
  const { setup, render } = bench.config
  const { raster = 'auto' } = render
  return {
    name: 'raster',
    required: raster === 'native',
    missing: 'drawing with all instruction sets of this processor',
    needs: ['browser'],
    async look(signal) {
      const { capture } = setup
      const request = { ...requestOf(bench.folder, false), raster }
      const text = await rasterText({ capture, request, folder: bench.folder, signal })
      if (text === undefined) return { detail: 'the capture engine has only one way to draw' }
      const { target } = setup
      return { detail: takesRequests(target) ? `${text} (here; ${target.name} draws elsewhere)` : text }
    },
  }
}

/** A frame that a GPU draws, if there is a GPU. */
export const gpuTrial = (bench: Bench): Trial => ({
  name: 'gpu',
  required: bench.config.render.browserGpu === true,
  missing: 'drawing on a GPU',
  needs: ['scratch folder', 'browser'],
  async look(signal) {
    const { capture } = bench.config.setup
    const { browserGpu = 'auto' } = bench.config.render
    const { plan, notes, ...finding } = await look(bench, capture, browserGpu, signal)
    const note = notes.join('; ') || 'no GPU'
    if (finding.failed || plan.capture.settings.gpu === true)
      return { ...finding, detail: `${finding.detail}; ${note}` }
    return { detail: `${note}; the processor draws pages` }
  },
})
