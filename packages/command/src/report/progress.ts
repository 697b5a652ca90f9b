import type { RenderEvent } from '@vid/protocol'
import type { CommandContext } from '../context.ts'
import type { WrittenOptions } from '../options/check-options.ts'
import { bar, createPace, leftText } from './pace.ts'
import type { Report } from './report.ts'
import { createStageTimes, stageNames } from './stage-times.ts'

type ProgressEvent = Extract<RenderEvent, { type: 'render-progress' }>

/** Shows the progress of a render. */
export interface Progress {
  update(event: Pick<ProgressEvent, 'stage' | 'progress' | 'framesRendered' | 'totalFrames'>): void
  /** Shows that the render waits for as many others as `position` says. */
  queued(position: number): void
  /** Whether a line is drawn over again. */
  readonly isLive: boolean
  /** Shows what is done before or after the frames. */
  show(text: string): void
  /** Removes the progress line, so that another line can be written; the next update shows it again. */
  clear(): void
  /** How long each stage has taken; empty when nothing is shown. */
  times(): string
}

/** Shows nothing. */
export const silentProgress: Progress = {
  isLive: false,
  update() {},
  queued() {},
  show() {},
  clear() {},
  times: () => '',
}

const queuedText = (position: number) => (position === 0 ? 'waiting, next' : `waiting, ${position} ahead`)

const REDRAW_MS = 80
/** One line on a terminal, drawn over again. */
export const liveProgress = (
  stream: NodeJS.WritableStream & { readonly columns?: number },
  now: () => number = () => performance.now(),
): Progress => {
  const rate = createPace()
  const times = createStageTimes(now)
  let drawn = -Infinity
  let stage = ''
  // Frames that are rendered again, after a fault, do not take the line back.
  let furthest = { share: 0, frames: 0 }
  const room = () => (stream.columns || 80) - 1
  const draw = (text: string) => {
    drawn = now()
    stream.write(`\r\u001b[K${text.slice(0, room())}`)
  }
  /** The first of some lines, each of parts, that the terminal has columns for; the last in any case. */
  const fitting = (lines: readonly (readonly string[])[]): string => {
    const texts = lines.map((parts) => parts.filter(Boolean).join(', '))
    return texts.find(({ length }) => length <= room()) ?? texts.at(-1) ?? ''
  }
  return {
    isLive: true,
    update({ stage: current, progress, framesRendered, totalFrames }) {
      times.enter(current)
      const frames = Math.max(framesRendered, current === stage ? furthest.frames : 0)
      furthest = { share: Math.max(progress, current === stage ? furthest.share : 0), frames }
      const pace = current === 'render' ? rate(frames, totalFrames) : undefined
      if (current === stage && now() - drawn < REDRAW_MS) return
      stage = current
      const name = stageNames[current]
      const percent = `${Math.floor(furthest.share * 100)} %`
      const count = totalFrames > 0 ? `${frames}/${totalFrames} frames` : ''
      const left = pace ? leftText(pace) : ''
      const rest = [count, pace ? `${pace.perSecond.toFixed(1)} fps` : '', left]
      const full = [`${name} ${bar(furthest.share)} ${percent}`, ...rest]
      draw(fitting([[times.text('ended'), ...full], full, [`${name} ${percent}`, count, left], [percent, left]]))
    },
    queued: (position) => draw(queuedText(position)),
    show: draw,
    clear() {
      if (drawn !== -Infinity) stream.write('\r\u001b[K')
      drawn = -Infinity
    },
    times: () => times.text(),
  }
}

/** A few plain lines, for logs: each stage, and each quarter of the frames. */
export const plainProgress = (note: (text: string) => void): Progress => {
  const rate = createPace()
  const times = createStageTimes()
  let lastLine = ''
  return {
    isLive: false,
    update({ stage, framesRendered, totalFrames }) {
      times.enter(stage)
      const pace = stage === 'render' ? rate(framesRendered, totalFrames) : undefined
      const quarter = stage === 'render' && totalFrames > 0 ? Math.floor((framesRendered / totalFrames) * 4) : 0
      const line = `${stage} ${quarter}`
      if (line === lastLine) return
      lastLine = line
      const frames = quarter > 0 ? ` ${framesRendered}/${totalFrames} frames` : ''
      note(`${stageNames[stage]}${frames}${pace && quarter > 0 ? `, ${pace.perSecond.toFixed(1)} fps` : ''}`)
    },
    queued: (position) => note(queuedText(position)),
    show: note,
    clear() {},
    times: () => times.text(),
  }
}

/** Whether progress is drawn over again, on a terminal. */
export const isLive = ({ stderr, env }: Pick<CommandContext, 'stderr' | 'env'>): boolean =>
  (stderr as { isTTY?: boolean }).isTTY === true && !env.CI && env.TERM !== 'dumb'

/** The progress that a command shows: none with --json or --quiet. */
export const chooseProgress = (context: CommandContext, report: Report, flags: WrittenOptions): Progress => {
  if (flags.json || flags.quiet) return silentProgress
  return isLive(context) ? liveProgress(context.stderr) : plainProgress(report.note)
}

const EVENT_MS = 100

/** Lets progress events through ten times a second, and each first and last of a stage. */
export const throttleProgress = (pass: (event: ProgressEvent) => void) => {
  let last = { stage: '', ms: -Infinity }
  return (event: ProgressEvent) => {
    const ms = performance.now()
    const isEdge = event.stage !== last.stage || event.framesRendered === event.totalFrames
    if (!isEdge && ms - last.ms < EVENT_MS) return
    last = { stage: event.stage, ms }
    pass(event)
  }
}
