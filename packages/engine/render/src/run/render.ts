import { randomUUID } from 'node:crypto'
import type { Finding } from '@vid/core/lint'
import type { PublishOptions, Reading, RunOptions } from '@vid/kernel'
import type { RenderEvent, RenderResult, Warning } from '@vid/protocol'
import { renderOffLostGpu } from '../concurrency/gpu-fallback.ts'
import { publishFirst } from '../concurrency/publish-first.ts'
import { codedError } from '../failure/coded-error.ts'
import { lintRequests, requireLint } from '../lint/lint-before-render.ts'
import { type ContextOptions, openContext } from '../prepare/context.ts'
import { type PreparedRender, prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'

/** One file that a render made. */
export interface RenderedFile {
  /** Absolute. */
  readonly path: string
  readonly bytes: number
}

/** The result of a render. */
export interface RenderOutcome {
  /** The id that every event of this render has. */
  readonly renderId: string
  /** Every file, in the order of the requested formats. */
  readonly files: readonly RenderedFile[]
  /** One result for each capture: formats that cannot share frames are captured one after another. */
  readonly results: readonly RenderResult[]
  readonly warnings: readonly Warning[]
}

/** The signal and the callbacks of a render. */
export interface RenderOptions {
  readonly signal?: AbortSignal
  /** Id of the render in its events; a new one if left out. */
  readonly renderId?: string
  /** Called with each event, in order; warnings of the settings come first. */
  onEvent?(event: RenderEvent): void
  /** Publishes the first capture as its segments are finished. */
  readonly publish?: PublishOptions
  /** Where texts of the composition are linted; in this thread if left out. */
  readonly reading?: Reading
  /** Lints the composition beside the capture, and is called with the findings. */
  onFindings?(findings: readonly Finding[]): void
}

/** The runner of prepared requests, one after another. */
export type RunRequests = (
  prepared: PreparedRender,
  options: Pick<RunOptions, 'onEvent' | 'publish'> & { readonly renderId: string; readonly signal: AbortSignal },
) => Promise<RenderResult[]>

const oneAfterAnother: RunRequests = async ({ kernel, requests }, options) => {
  const results: RenderResult[] = []
  for (const [index, request] of requests.entries()) {
    const result = await renderOffLostGpu(kernel, request, publishFirst(options, index))
    if (result) results.push(result)
  }
  return results
}

const filesOf = (results: readonly RenderResult[]): RenderedFile[] =>
  results.flatMap((result) =>
    [result, ...(result.outputs ?? [])].map(({ outputPath, fileSize }) => ({
      path: outputPath,
      bytes: fileSize,
    })),
  )

/** A promise that is resolved from outside. */
const createSignalled = () => {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** The same listener, which cannot fail a render: what it throws is thrown outside of it, where a program sees it. */
const guarded = <T>(listener: ((value: T) => void) | undefined): ((value: T) => void) | undefined =>
  listener &&
  ((value) => {
    try {
      listener(value)
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown
      })
    }
  })

/** Renders what was prepared; rejects with what went wrong. */
export const renderPrepared = async (
  prepared: PreparedRender,
  settings: Pick<RenderSettings, 'projectDir'>,
  options: RenderOptions,
  run: RunRequests = oneAfterAnother,
): Promise<RenderOutcome> => {
  const { signal = new AbortController().signal, renderId = randomUUID(), reading } = options
  const onEvent = guarded(options.onEvent)
  const onFindings = guarded(options.onFindings)
  signal.throwIfAborted()
  const { warnings } = prepared
  const reported = [...warnings]
  for (const warning of warnings) onEvent?.({ type: 'warning', renderId, warning })
  if (prepared.config.render.strict) await requireLint(prepared, settings.projectDir ?? '.', { signal, reading })
  const captured = createSignalled()
  const withWarnings = (result: RenderResult) => ({ ...result, warnings: [...warnings, ...result.warnings] })
  const rendering = run(prepared, {
    renderId,
    signal,
    publish: options.publish,
    onEvent: (event) => {
      if (event.type === 'render-progress' && event.framesRendered > 0) captured.resolve()
      if (event.type === 'warning') reported.push(event.warning)
      onEvent?.(event.type === 'render-complete' ? { ...event, ...withWarnings(event) } : event)
    },
  })
  rendering.catch(() => {}).finally(captured.resolve)
  // During the capture, since before it would delay the first frame. The render itself reports what stops it.
  const linting =
    onFindings &&
    captured.promise.then(async () => onFindings(await lintRequests(prepared, { signal, reading }).catch(() => [])))
  const results = (await rendering.finally(() => linting)).map(withWarnings)
  return {
    renderId,
    files: filesOf(results),
    results,
    warnings: reported,
  }
}

/**
 * Renders a composition: reads the config, plans, captures, encodes and delivers. Rejects with a `VidError`, whose code
 * is `VID_CANCELLED` when `signal` aborted; nothing is left running, and no partial file at its path.
 */
export const render = async (
  settings: RenderSettings,
  options: RenderOptions & ContextOptions = {},
): Promise<RenderOutcome> => {
  try {
    const prepared = await prepareRender(settings, await openContext(options))
    return await renderPrepared(prepared, settings, options)
  } catch (thrown) {
    throw codedError(thrown, options.signal)
  }
}
