import { advanceProgress, type ProgressState, type RenderEvent } from '@vid/protocol'
import type { CommandContext } from '../context.ts'
import type { WrittenOptions } from '../options/parse-options.ts'
import { bar, leftText } from './pace.ts'
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
  /** Shows how much of what is counted is done, such as `checking`; left out where `show` shows it as text. */
  count?(doing: string, done: number, total: number): void
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

/** Advances with each report; the plan of a further capture begins a new one. */
const createState = (now: () => number) => {
  let state: ProgressState | undefined
  return (event: Pick<ProgressEvent, 'stage' | 'framesRendered' | 'totalFrames'>): ProgressState => {
    if (event.stage === 'plan' && state?.stage !== 'plan') state = undefined
    state = advanceProgress(state, event, now())
    return state
  }
}

const REDRAW_MS = 80

/** One line on a terminal, drawn over again. */
export const liveProgress = (
  stream: NodeJS.WritableStream & { readonly columns?: number },
  now: () => number = () => performance.now(),
): Progress => {
  const advance = createState(now)
  const times = createStageTimes(now)
  let drawn = -Infinity
  let shown = ''
  let share = 0
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
    update(event) {
      const { stage, frames, total, speed, remainingSeconds } = advance(event)
      times.enter(stage)
      // Frames that are rendered again, after a fault, do not take the line back.
      share = Math.max(event.progress, stage === shown ? share : 0)
      if (stage === shown && now() - drawn < REDRAW_MS) return
      shown = stage
      const name = stageNames[stage]
      const percent = `${Math.floor(share * 100)} %`
      const count = total > 0 ? `${frames}/${total} frames` : ''
      const left = remainingSeconds === null ? '' : leftText(remainingSeconds)
      const rest = [count, speed === null ? '' : `${speed.toFixed(1)} fps`, left]
      const full = [`${name} ${bar(share)} ${percent}`, ...rest]
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
  const advance = createState(() => performance.now())
  const times = createStageTimes()
  let lastLine = ''
  return {
    isLive: false,
    update(event) {
      const { stage, frames, total, speed } = advance(event)
      times.enter(stage)
      const quarter = stage === 'render' && total > 0 ? Math.floor((frames / total) * 4) : 0
      const line = `${stage} ${quarter}`
      if (line === lastLine) return
      lastLine = line
      const count = quarter > 0 ? ` ${frames}/${total} frames` : ''
      note(`${stageNames[stage]}${count}${speed !== null && quarter > 0 ? `, ${speed.toFixed(1)} fps` : ''}`)
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
