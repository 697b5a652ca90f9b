import type { RenderEvent } from '@vid/protocol'

type Stage = Extract<RenderEvent, { type: 'render-progress' }>['stage']

/** What a person reads for each stage. */
export const stageNames: Readonly<Record<Stage, string>> = {
  plan: 'planning',
  render: 'rendering',
  join: 'joining',
  deliver: 'delivering',
}

/** Measures how long each stage takes; the stages of several captures are added up. */
export interface StageTimes {
  /** Called with each progress event's stage. */
  enter(stage: Stage): void
  /** Such as `planning 0.4 s, rendering 2.1 s`; with `ended`, without the running stage. */
  text(which?: 'ended'): string
}

/** Starts measuring; `now` gives milliseconds. */
export const createStageTimes = (now: () => number = () => performance.now()): StageTimes => {
  const spent = new Map<Stage, number>()
  let running: { readonly stage: Stage; readonly since: number } | undefined
  const toNow = () => (running ? now() - running.since : 0)
  return {
    enter(stage) {
      if (running?.stage === stage) return
      if (running) spent.set(running.stage, (spent.get(running.stage) ?? 0) + toNow())
      running = { stage, since: now() }
    },
    text(which) {
      const all = new Map(spent)
      if (running && which !== 'ended') all.set(running.stage, (all.get(running.stage) ?? 0) + toNow())
      return [...all].map(([stage, ms]) => `${stageNames[stage]} ${(ms / 1000).toFixed(1)} s`).join(', ')
    },
  }
}
