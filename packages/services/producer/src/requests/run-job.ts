import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PublishOptions } from '@vid/kernel'
import { type RenderEvent, usesCaptions } from '@vid/protocol'
import type { Renderer } from '@vid/render'
import type { ReplyText } from '@vid/server'
import { makeFolder } from '@vid/system'
import type { Ending } from '../journal/ending.ts'
import type { Metrics } from '../metrics.ts'
import type { ProducerSettings } from '../options.ts'
import { pathsInZip, typeOf } from '../outputs/bundle.ts'
import type { DownloadableFile } from '../outputs/output.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { Streams } from '../outputs/streams.ts'
import type { ServerJob } from './job.ts'
import { outputFacts } from './output-facts.ts'
import { requestedSettings, stillSettings } from './render-settings.ts'

/** Dependencies of running jobs. */
export interface JobDependencies {
  readonly renderer: Renderer
  readonly outputs: Outputs
  readonly streams: Streams
  readonly metrics: Metrics
  readonly settings: ProducerSettings
  readonly replyText: ReplyText
}

/** The folders of a job. */
export interface JobPlaces {
  /** Absolute folder of the composition. */
  readonly projectDir: string
  /** Absolute folder of the request. */
  readonly folder: string
}

type Completed = Extract<Ending, { status: 'completed' }>

/** Reports the progress of a render over all its captures; never goes backwards. */
const followProgress = (job: ServerJob, metrics: Metrics) => {
  let best = 0
  let frames = 0
  return (event: RenderEvent) => {
    if (event.type !== 'render-progress') return
    const { stage, progress, framesRendered, totalFrames } = event
    metrics.frames(framesRendered - frames)
    frames = framesRendered
    best = Math.max(best, progress)
    job.progressed({ stage, progress: best, framesRendered, totalFrames })
  }
}

/** Reports the address of the video when its first part can be played, and again if the render starts again. */
const publishTo = (job: ServerJob, folder: string, streams: Streams): PublishOptions => {
  let shown: string | undefined
  return {
    folder,
    isOptional: true,
    onSegment(playlist) {
      if (playlist === shown) return
      shown = playlist
      job.published(streams.open(folder, playlist))
    },
  }
}

const runRender = async (
  job: ServerJob,
  places: JobPlaces,
  tools: JobDependencies,
  signal: AbortSignal,
): Promise<Completed> => {
  const { renderer, outputs, streams, metrics, settings, replyText } = tools
  const { accepted } = job
  if (accepted.kind !== 'render') throw new TypeError('not a render')
  const { requestId, body, outputPath } = accepted
  const format = body.format ?? 'mp4'
  // Files beside the video are named after it, without its extension.
  const hasBeside = usesCaptions(body, 'sidecar') || body.poster !== undefined
  const name = hasBeside && !format.includes(',') ? `video.${format}` : 'video'
  const output = outputPath ?? join(places.folder, 'out', name)
  const startedMs = performance.now()
  const { files, results, warnings } = await renderer.render(
    requestedSettings(body, { projectDir: places.projectDir, output }, settings),
    {
      signal,
      renderId: requestId,
      onEvent: followProgress(job, metrics),
      publish: publishTo(job, places.folder, streams),
    },
  )
  const [first] = results
  // A delivery in the config may have moved the result elsewhere.
  const paths = files.map(({ path }) => path)
  const isHere = paths.every((path) => existsSync(path))
  const offered = isHere ? await outputs.offerResults({ paths, format, folder: places.folder }, signal) : undefined
  return {
    status: 'completed',
    endedAt: new Date().toISOString(),
    outputs: offered ? [offered] : [],
    result: {
      success: true,
      requestId,
      outputPath: body.outputPath ?? offered?.name ?? 'video',
      ...outputFacts(offered),
      contentType: offered?.type ?? typeOf(`video.${format}`),
      files: isHere ? await pathsInZip(paths) : [],
      durationMs: Math.round(performance.now() - startedMs),
      videoDurationSeconds: (first?.durationMs ?? 0) / 1000,
      frames: first?.frames ?? 0,
      warnings: warnings.map(replyText.warning),
    },
  }
}

const runSnapshot = async (
  job: ServerJob,
  places: JobPlaces,
  tools: JobDependencies,
  signal: AbortSignal,
): Promise<Completed> => {
  const { renderer, outputs, replyText } = tools
  const { accepted } = job
  if (accepted.kind !== 'snapshot') throw new TypeError('not a snapshot')
  const { requestId, body } = accepted
  const output = join(places.folder, 'out')
  await makeFolder(output, 0o700)
  const stills = await renderer.takeStills(stillSettings(body, { projectDir: places.projectDir, output }), {
    signal,
  })
  const offered: DownloadableFile[] = []
  for (const { path } of stills.snapshots) offered.push(await outputs.offerFile(path, signal))
  return {
    status: 'completed',
    endedAt: new Date().toISOString(),
    outputs: offered,
    result: {
      success: true,
      requestId,
      width: stills.width,
      height: stills.height,
      snapshots: stills.snapshots.map(({ frame, time }, index) => ({
        frame,
        time,
        ...outputFacts(offered[index]),
      })),
      warnings: stills.warnings.map(replyText.warning),
    },
  }
}

/** Renders a job; rejects with the error of the render. */
export const runJob = async (
  job: ServerJob,
  places: JobPlaces,
  tools: JobDependencies,
  signal: AbortSignal,
): Promise<Completed> => {
  const run = job.accepted.kind === 'render' ? runRender : runSnapshot
  return run(job, places, tools, signal)
}
