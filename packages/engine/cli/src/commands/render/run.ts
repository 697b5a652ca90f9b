import { type Progress, type Report, shellWord, throttleProgress } from '@vid/command'
import type { RenderEvent } from '@vid/protocol'
import { type Finding, findingCounts, openContext, prepareRender, renderPrepared } from '@vid/render'
import type { RenderCommandRun } from './options.ts'
import { problemLine } from './problem-line.ts'
import { serveLive } from './serve-live.ts'
import { renderSettings, warnOfForeignOptions } from './settings.ts'
import { showResult } from './show-result.ts'
import { stopNote } from './stop-note.ts'
import { waitingText } from './waiting-text.ts'

type SegmentEvent = Extract<RenderEvent, { type: 'segment-complete' }>

/** The reused segments, one line for each reason. */
const reuseLines = (segments: readonly SegmentEvent[]): string[] => {
  const counts = new Map<string, number>()
  for (const { reused } of segments) if (reused) counts.set(reused, (counts.get(reused) ?? 0) + 1)
  return [...counts].map(([reason, count]) => `${count} of ${segments.length} segments reused: ${reason}`)
}

/** Writes what a render reports, and keeps its segments for the end. */
const followRender = (report: Report, progress: Progress, json: boolean) => {
  const segments: SegmentEvent[] = []
  const passProgress = throttleProgress((event) => report.event({ ...event }))
  const onEvent = (event: RenderEvent) => {
    if (event.type === 'render-progress') {
      passProgress(event)
      progress.update(event)
    } else if (event.type === 'render-accepted') {
      progress.clear()
      if (!json) report.note(`rendered elsewhere as ${event.farId}`)
      report.event({ ...event })
    } else if (event.type === 'render-queued') {
      progress.queued(event.position)
      report.event({ ...event })
    } else if (event.type === 'render-waiting') {
      progress.clear()
      if (!json) report.note(waitingText(event))
      report.event({ ...event })
    } else if (event.type === 'warning') {
      progress.clear()
      report.warn(event.warning)
    } else if (event.type === 'console') {
      progress.clear()
      report.console(event)
      report.event({ ...event })
    } else if (event.type === 'segment-complete') {
      segments.push(event)
      report.event({ ...event })
    } else if (event.type === 'render-start') report.event({ ...event })
    // Errors are reported in one place, also those from before the render; the end is reported once its files exist.
  }
  return { segments, onEvent }
}

/** `vid render`: renders a folder and reports its progress; rejects with the error. */
export const runRender = async (run: RenderCommandRun): Promise<void> => {
  const { cwd, env, signal, json, report, progress, spelling, unguarded } = run
  const { dir } = run.arguments
  warnOfForeignOptions(run.options, report)
  const settings = renderSettings(run)
  const open = await openContext({ cwd, env, spelling, loading: unguarded })
  const prepared = await prepareRender(settings, open, { takesShapes: run.options.serve !== true })
  signal.throwIfAborted()
  if (prepared.shapes.length > 1) return (await import('./shapes.ts')).runRenderShapes(run, prepared)
  const { segments, onEvent } = followRender(report, progress, json)
  const onStop = () => {
    progress.clear()
    if (!json) report.note(stopNote(signal))
  }
  signal.addEventListener('abort', onStop, { once: true })
  let findings: readonly Finding[] = []
  const live = run.options.serve ? await serveLive(run) : undefined
  try {
    const { renderId, results, warnings } = await renderPrepared(prepared, settings, {
      signal,
      onEvent,
      ...(live && { publish: live.publish }),
      onFindings(all) {
        findings = all
        if (findings.length === 0) return
        progress.clear()
        report.note(`lint: ${findingCounts(findings)} — vid lint${dir === '.' ? '' : ` ${shellWord(dir)}`} shows them`)
      },
    })
    progress.clear()
    // The stages of several captures are those of the whole command.
    const times = progress.times()
    if (!json) for (const line of reuseLines(segments)) report.note(line)
    for (const result of results) {
      report.event({ type: 'render-complete', ...result, renderId })
      showResult(report, result, { json, cwd, times })
    }
    const problems = problemLine(warnings, findings)
    if (!json && problems !== undefined) report.note(problems)
    await live?.untilStopped()
  } finally {
    signal.removeEventListener('abort', onStop)
    progress.clear()
    await live?.close()
  }
}
