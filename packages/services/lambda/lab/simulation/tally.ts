import type { Usage } from '../../src/cost/usage.ts'

/** What can make a render wait, or end it. */
export const limitNames = [
  'concurrency',
  'newEnvironments',
  'startExecution',
  'stateTransitions',
  's3Writes',
  's3Reads',
  'functionTime',
  'history',
] as const
export type LimitName = (typeof limitNames)[number]

/** How a simulation ended. */
export interface SimulatedRun {
  /** From the first request to the end of the last render. */
  readonly wallSeconds: number
  /** Of one render, from its request to its end. */
  readonly medianSeconds: number
  readonly slowestSeconds: number
  readonly usage: Usage
  readonly coldStarts: number
  /** Calls that Lambda refused; each is tried again, and is a transition. */
  readonly throttles: number
  readonly peakConcurrency: number
  readonly finishedRenders: number
  /** Renders that a limit ended, by the limit. */
  readonly failures: Readonly<Partial<Record<LimitName, number>>>
  /** Seconds of waiting, summed over everything that waited at the same time. */
  readonly waits: Readonly<Record<LimitName, number>>
  /** The limit that most was waited for, or that ended renders; undefined when none did. */
  readonly bites?: LimitName
}

/** One call of the function. */
export interface SimulatedCall {
  /** Time that is paid for. */
  readonly seconds: number
  readonly isCold: boolean
  readonly writes: number
  readonly reads: number
}

/** Counts what happens in a simulation. */
export interface Tally {
  readonly started: (render: number, now: number) => void
  readonly ended: (render: number, now: number, reason: LimitName | undefined) => void
  readonly waited: (limit: LimitName, seconds: number) => void
  readonly entered: (states: number) => void
  readonly refused: () => void
  readonly called: (call: SimulatedCall) => void
  readonly result: (peakConcurrency: number) => SimulatedRun
}

const mostOf = (numbers: Readonly<Partial<Record<LimitName, number>>>): LimitName | undefined => {
  const names = limitNames.filter((name) => (numbers[name] ?? 0) > 0)
  return names.sort((a, b) => (numbers[b] ?? 0) - (numbers[a] ?? 0))[0]
}

/** Nothing has happened yet. */
export const createTally = (renders: number): Tally => {
  const startedAt = new Float64Array(renders)
  const seconds: number[] = []
  const waits = Object.fromEntries(limitNames.map((name) => [name, 0])) as Record<LimitName, number>
  const failures: Partial<Record<LimitName, number>> = {}
  const usage = { calls: 0, billedSeconds: 0, transitions: 0, s3Writes: 0, s3Reads: 0 }
  const counts = { coldStarts: 0, throttles: 0, finished: 0, last: 0 }
  return {
    started: (render, now) => {
      startedAt[render] = now
    },
    ended: (render, now, reason) => {
      counts.last = Math.max(counts.last, now)
      if (reason) failures[reason] = (failures[reason] ?? 0) + 1
      else {
        counts.finished += 1
        seconds.push(now - (startedAt[render] ?? 0))
      }
    },
    waited: (limit, time) => {
      waits[limit] += time
    },
    entered: (states) => {
      usage.transitions += states
    },
    refused: () => {
      counts.throttles += 1
    },
    called: (call) => {
      usage.calls += 1
      usage.billedSeconds += call.seconds
      usage.s3Writes += call.writes
      usage.s3Reads += call.reads
      if (call.isCold) counts.coldStarts += 1
    },
    result: (peakConcurrency) => {
      seconds.sort((a, b) => a - b)
      const bites = mostOf(failures) ?? mostOf(waits)
      return {
        wallSeconds: counts.last,
        medianSeconds: seconds[Math.floor(seconds.length / 2)] ?? 0,
        slowestSeconds: seconds.at(-1) ?? 0,
        usage,
        coldStarts: counts.coldStarts,
        peakConcurrency,
        throttles: counts.throttles,
        finishedRenders: counts.finished,
        failures,
        waits,
        ...(bites && { bites }),
      }
    },
  }
}
