import type { RenderEvent } from '@vid/kernel'

type ProgressEvent = Extract<RenderEvent, { type: 'render-progress' }>

/** Shows the progress of a render. */
export interface Progress {
  update(event: ProgressEvent): void
  /** Removes the progress line, so that another line can be written; the next update shows it again. */
  clear(): void
}

/** Shows nothing. */
export const silentProgress: Progress = { update() {}, clear() {} }

const stages = { plan: 'planning', render: 'rendering', join: 'joining', deliver: 'delivering' }

/** Frames per second so far, and the estimated seconds for the rest. */
const createRate = () => {
  let from: { readonly ms: number; readonly frames: number } | undefined
  return (frames: number, total: number) => {
    const ms = performance.now()
    from ??= { ms, frames }
    const fps = ((frames - from.frames) / (ms - from.ms)) * 1000
    return Number.isFinite(fps) && fps > 0 ? { fps, left: (total - frames) / fps } : undefined
  }
}

const clock = (seconds: number) => {
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

const REDRAW_MS = 80

/** One line on a terminal, drawn over again. */
export const liveProgress = (stream: NodeJS.WritableStream & { readonly columns?: number }): Progress => {
  const rate = createRate()
  let drawn = -Infinity
  let stage = ''
  return {
    update({ stage: now, progress, framesRendered, totalFrames }) {
      const pace = now === 'render' ? rate(framesRendered, totalFrames) : undefined
      if (now === stage && performance.now() - drawn < REDRAW_MS) return
      stage = now
      drawn = performance.now()
      const parts = [
        `${stages[now]} ${Math.floor(progress * 100)} %`,
        totalFrames > 0 ? `${framesRendered}/${totalFrames} frames` : '',
        pace ? `${pace.fps.toFixed(1)} fps, ${clock(pace.left)} left` : '',
      ]
      const text = parts.filter(Boolean).join(', ')
      stream.write(`\r\u001b[K${text.slice(0, (stream.columns || 80) - 1)}`)
    },
    clear() {
      if (drawn !== -Infinity) stream.write('\r\u001b[K')
      drawn = -Infinity
    },
  }
}

/** A few plain lines, for logs: each stage, and each quarter of the frames. */
export const plainProgress = (note: (text: string) => void): Progress => {
  const rate = createRate()
  let lastLine = ''
  return {
    update({ stage, framesRendered, totalFrames }) {
      const pace = stage === 'render' ? rate(framesRendered, totalFrames) : undefined
      const quarter =
        stage === 'render' && totalFrames > 0 ? Math.floor((framesRendered / totalFrames) * 4) : 0
      const line = `${stage} ${quarter}`
      if (line === lastLine) return
      lastLine = line
      const frames = quarter > 0 ? ` ${framesRendered}/${totalFrames} frames` : ''
      note(`${stages[stage]}${frames}${pace && quarter > 0 ? `, ${pace.fps.toFixed(1)} fps` : ''}`)
    },
    clear() {},
  }
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
