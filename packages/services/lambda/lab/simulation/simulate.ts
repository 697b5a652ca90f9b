import { FUNCTION_SECONDS } from '../../src/contract/limits.ts'
import { isWide } from '../../src/cost/usage.ts'
import { type AccountLimits, defaultLimits } from './account-limits.ts'
import { createEnvironments, type Refusal } from './environments.ts'
import { createEventQueue } from './event-queue.ts'
import { seededRandom, varied } from './random.ts'
import { createRequestLoad } from './request-load.ts'
import { createTally, type LimitName, type SimulatedRun } from './tally.ts'
import { createTokenBucket } from './token-bucket.ts'
import { demandsOf, firstWork, workOf } from './work.ts'
import type { Workload } from './workload.ts'

/** What a simulation is made of. */
export interface SimulationOptions {
  readonly workload: Workload
  readonly limits?: AccountLimits
  readonly seed?: number
}

/** A state is entered, the function is called, and the call ends: with its work done, or by the time limit. */
const kinds = { enter: 0, call: 1, end: 2, late: 3 } as const
const KINDS = Object.keys(kinds).length

/** Events in the history of an execution: those of itself, of a chunk, and of one more attempt at anything. */
const HISTORY = { execution: 14, chunk: 7, attempt: 3 } as const

/** Seconds within which a call that took too long is tried once more. */
const LATE_RETRY_SECONDS = 5

const openWorld = ({ workload, limits = defaultLimits, seed = 1 }: SimulationOptions) => {
  const { renders, chunks } = workload
  const works = renders * (chunks + 2)
  return {
    workload,
    limits,
    random: seededRandom(seed),
    queue: createEventQueue(),
    demands: demandsOf(workload),
    environments: createEnvironments(limits),
    startExecution: createTokenBucket(limits.startExecution),
    stateTransitions: createTokenBucket(limits.stateTransitions),
    s3Writes: createRequestLoad(limits.s3Writes),
    s3Reads: createRequestLoad(limits.s3Reads),
    /** Seconds that the running call of each work would take without waiting for S3. */
    running: new Float64Array(works),
    tally: createTally(renders),
    /** Refused calls, and calls that took too long, of each work. */
    refusals: new Uint32Array(works),
    late: new Uint8Array(works),
    /** Chunks of each render that are not done. */
    left: new Uint32Array(renders).fill(chunks),
    history: new Uint32Array(renders).fill(HISTORY.execution + (isWide(chunks) ? 0 : HISTORY.chunk * chunks)),
    isOver: new Uint8Array(renders),
    started: 0,
  }
}
type World = ReturnType<typeof openWorld>

const add = (world: World, time: number, number: number, kind: number) => world.queue.add(time, number * KINDS + kind)

/** Requests the next render, if there is one. */
const startNext = (world: World, now: number) => {
  const { workload, tally } = world
  if (world.started >= workload.renders) return
  const render = world.started
  world.started += 1
  const startMs = Math.max(now, render / workload.startsPerSecond)
  tally.started(render, startMs)
  add(world, startMs, firstWork(render, workload.chunks), kinds.enter)
}

const endRender = (world: World, render: number, now: number, reason?: LimitName) => {
  if (world.isOver[render]) return
  world.isOver[render] = 1
  world.tally.ended(render, now, reason)
  startNext(world, now)
}

/** Enters the state again after a delay, unless the history of its execution is full. */
const tryAgain = (world: World, number: number, now: number, delay: number, reason: LimitName) => {
  const { render, isChild } = workOf(number, world.workload.chunks)
  const attempts = (world.refusals[number] ?? 0) + (world.late[number] ?? 0)
  const events = HISTORY.chunk + HISTORY.attempt * attempts
  const shared = (world.history[render] ?? 0) + HISTORY.attempt
  if (!isChild) world.history[render] = shared
  if ((isChild ? events : shared) > world.limits.historyEvents) return endRender(world, render, now, 'history')
  world.tally.waited(reason, delay)
  add(world, now + delay, number, kinds.enter)
}

const enter = (world: World, number: number, now: number) => {
  const { action, isChild } = workOf(number, world.workload.chunks)
  const isFirst = world.refusals[number] === 0 && world.late[number] === 0
  const isStart = isFirst && (action === 'plan' || isChild)
  const states = isStart ? 3 : 1
  const forStart = isStart ? world.startExecution.reserve(now) : 0
  const forStates = world.stateTransitions.reserve(now, states)
  world.tally.entered(states)
  world.tally.waited('startExecution', forStart)
  world.tally.waited('stateTransitions', Math.max(0, forStates - forStart))
  add(world, now + Math.max(forStart, forStates), number, kinds.call)
}

const refuse = (world: World, number: number, now: number, reason: Refusal) => {
  const { intervalSeconds, backoffRate, maxDelaySeconds, maxAttempts } = world.limits.retry
  const before = world.refusals[number] ?? 0
  world.tally.refused()
  if (before >= maxAttempts) return endRender(world, workOf(number, world.workload.chunks).render, now, reason)
  world.refusals[number] = before + 1
  const longest = Math.min(intervalSeconds * backoffRate ** before, maxDelaySeconds)
  tryAgain(world, number, now, world.random() * longest, reason)
}

const call = (world: World, number: number, now: number) => {
  const { workload, tally, random } = world
  const environment = world.environments.acquire(now)
  if (environment !== 'warm' && environment !== 'cold') return refuse(world, number, now, environment)
  const { seconds, writes, reads } = world.demands[workOf(number, workload.chunks).action]
  const isCold = environment === 'cold'
  const cold = isCold ? varied(workload.coldSeconds, workload.spread, random) : 0
  const alone = varied(seconds, workload.spread, random)
  const forWrites = world.s3Writes.add(writes / alone)
  const forReads = world.s3Reads.add(reads / alone)
  const busy = alone * Math.max(forWrites, forReads)
  tally.waited(forWrites >= forReads ? 's3Writes' : 's3Reads', busy - alone)
  world.running[number] = alone
  const billed = cold + Math.min(busy, FUNCTION_SECONDS)
  tally.called({ seconds: billed, isCold, writes, reads })
  add(world, now + billed, number, busy > FUNCTION_SECONDS ? kinds.late : kinds.end)
}

/** The call of a work is over: its environment and its part of the requests to S3 are free. */
const release = (world: World, number: number) => {
  const { writes, reads } = world.demands[workOf(number, world.workload.chunks).action]
  const seconds = world.running[number] ?? 1
  world.s3Writes.remove(writes / seconds)
  world.s3Reads.remove(reads / seconds)
  world.environments.release()
}

const planned = (world: World, number: number, now: number) => {
  const wait = world.stateTransitions.reserve(now, 2)
  world.tally.entered(2)
  world.tally.waited('stateTransitions', wait)
  for (let chunk = 1; chunk <= world.workload.chunks; chunk += 1) add(world, now + wait, number + chunk, kinds.enter)
}

const end = (world: World, number: number, now: number) => {
  const { chunks } = world.workload
  const { render, action } = workOf(number, chunks)
  if (action === 'plan') return planned(world, number, now)
  if (action === 'assemble') return endRender(world, render, now)
  const left = (world.left[render] ?? 0) - 1
  world.left[render] = left
  if (left === 0) add(world, now, firstWork(render, chunks) + chunks + 1, kinds.enter)
}

const late = (world: World, number: number, now: number) => {
  const times = (world.late[number] ?? 0) + 1
  world.late[number] = times
  if (times > 1) return endRender(world, workOf(number, world.workload.chunks).render, now, 'functionTime')
  tryAgain(world, number, now, world.random() * LATE_RETRY_SECONDS, 'functionTime')
}

/**
 * Plays the workflow of many renders against the limits of an account, event by event: the same for the same seed.
 * What a failed render leaves to clean up is not played, nor errors other than those of limits.
 */
export const simulate = (options: SimulationOptions): SimulatedRun => {
  const world = openWorld(options)
  const { renders, chunks, maxRenders = renders } = world.workload
  for (let render = 0; render < Math.min(maxRenders, renders); render += 1) startNext(world, 0)
  for (let next = world.queue.take(); next; next = world.queue.take()) {
    const number = Math.floor(next.event / KINDS)
    const kind = next.event % KINDS
    if (kind === kinds.end || kind === kinds.late) release(world, number)
    if (world.isOver[workOf(number, chunks).render]) continue
    if (kind === kinds.enter) enter(world, number, next.time)
    else if (kind === kinds.call) call(world, number, next.time)
    else if (kind === kinds.end) end(world, number, next.time)
    else late(world, number, next.time)
  }
  return world.tally.result(world.environments.peak())
}
