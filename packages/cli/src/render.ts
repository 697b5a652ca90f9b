import { existsSync } from 'node:fs'
import { type RenderEvent, type RenderResult, render } from '@vid/kernel'
import type { GivenFlags } from './flag-check.ts'
import type { CliContext } from './flag-command.ts'
import { bytesText, shortPath } from './output.ts'
import { liveProgress, type Progress, plainProgress, silentProgress, throttleProgress } from './progress.ts'
import { lintSummary, requireLint } from './render-lint.ts'
import { createReport, type Report } from './report.ts'
import { openSetup, type Setup } from './setup.ts'

const chooseProgress = (context: CliContext, report: Report, given: GivenFlags): Progress => {
  const { stderr, env } = context
  if (given.json || given.quiet) return silentProgress
  const isLive = (stderr as { isTTY?: boolean }).isTTY === true && !env.CI && env.TERM !== 'dumb'
  return isLive ? liveProgress(stderr) : plainProgress(report.note)
}

const summary = (result: RenderResult, cwd: string) => {
  const { frames, durationMs, fileSize, renderTimeMs, outputs = [] } = result
  const length = `done: ${frames} frames, ${durationMs / 1000} s of video`
  const time = `in ${(renderTimeMs / 1000).toFixed(1)} s`
  if (outputs.length === 0) return `${length}, ${bytesText(fileSize)}, ${time}`
  const files = [result, ...outputs].map(
    (each) => `${shortPath(each.outputPath, cwd)} ${bytesText(each.fileSize)}`,
  )
  return `${length}, ${time}: ${files.join(', ')}`
}

type SegmentEvent = Extract<RenderEvent, { type: 'segment-complete' }>

/** What was not rendered anew, and why, in a line for each reason. */
const reuseLines = (segments: readonly SegmentEvent[]): string[] => {
  const counts = new Map<string, number>()
  for (const { reused } of segments) if (reused) counts.set(reused, (counts.get(reused) ?? 0) + 1)
  return [...counts].map(([reason, count]) => `${count} of ${segments.length} segments reused: ${reason}`)
}

/** Captures that cannot share frames, one after another. */
const renderAll = async (
  { kernel, requests }: Setup,
  options: Parameters<typeof render>[2],
): Promise<RenderResult[]> => {
  const results = []
  for (const request of requests) results.push(await render(kernel, request, options))
  return results
}

/** `vid render`: renders a folder and reports on the way; rejects with what went wrong. */
export const runRender = async (dir: string, given: GivenFlags, context: CliContext): Promise<void> => {
  const { cwd, signal } = context
  const report = createReport({ ...context, json: given.json === true, quiet: given.quiet === true })
  const setup = await openSetup(dir, given, context)
  signal.throwIfAborted()
  const progress = chooseProgress(context, report, given)
  const passProgress = throttleProgress((event) => report.event({ ...event }))
  const segments: SegmentEvent[] = []
  let tellBegun = () => {}
  const begun = new Promise<void>((resolve) => {
    tellBegun = resolve
  })
  const onEvent = (event: RenderEvent) => {
    if (event.type === 'render-progress') {
      if (event.framesRendered > 0) tellBegun()
      passProgress(event)
      progress.update(event)
    } else if (event.type === 'warning') {
      progress.clear()
      report.warn(event.warning)
    } else if (event.type === 'segment-complete') {
      segments.push(event)
      report.event({ ...event })
    } else if (event.type === 'render-start') report.event({ ...event })
    // Errors are reported in one place, also those from before the render; the end follows below.
  }
  const onStop = () => {
    progress.clear()
    if (!given.json) report.note('stopping; once more to stop at once')
  }
  signal.addEventListener('abort', onStop, { once: true })
  try {
    for (const warning of setup.warnings) report.warn(warning)
    await requireLint(setup, { dir, given, signal })
    const rendering = renderAll(setup, { signal, onEvent })
    rendering.catch(() => {}).finally(tellBegun)
    // Beside the capture: before, it would hold back the first frame.
    const linting = begun.then(async () => {
      const summary = await lintSummary(setup, dir, signal)
      if (summary === null) return
      progress.clear()
      report.note(summary)
    })
    const results = await rendering.finally(() => linting)
    progress.clear()
    if (!given.json) for (const line of reuseLines(segments)) report.note(line)
    for (const result of results) {
      if (!given.json) report.note(summary(result, cwd))
      report.event({
        type: 'render-complete',
        ...result,
        warnings: [...setup.warnings, ...result.warnings],
      })
      for (const { outputPath } of [result, ...(result.outputs ?? [])]) {
        if (existsSync(outputPath)) report.result(shortPath(outputPath, cwd))
        else
          report.warn({
            code: 'VID_OUTPUT_NOT_WRITTEN',
            message: `no delivery has put the result at ${shortPath(outputPath, cwd)}`,
            hint: 'add file() from @vid/deliver-file to deliveries, if it should be there',
          })
      }
    }
  } finally {
    signal.removeEventListener('abort', onStop)
    progress.clear()
  }
}
