/** What a container states of a packet, in units of its stream. */
export interface Packet {
  /** When its frame is shown. */
  readonly pts: number | undefined
  /** When it is decoded. */
  readonly dts: number | undefined
  readonly isKey: boolean
}

/** When frames are shown, as far as it can be told. */
export interface EstimatedTimes {
  /** Ascending. */
  readonly shown: readonly number[]
  /** Whether frames are shown at the pace of pictures, so that the estimate can be trusted. */
  readonly isEven: boolean
}

/** By as many units a container may round the time of a frame, where they are short. */
const ROUNDING = 2

/** How much longer than the shortest a frame may be shown: films on DVDs take turns with 2 and 3 fields. */
const PULLDOWN = 1.6

const stepsOf = (times: readonly number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0))

const isEvenPace = (times: readonly number[]): boolean => {
  const steps = stepsOf(times)
  const [least, most] = steps.reduce(([low, high], step) => [Math.min(low, step), Math.max(high, step)], [Infinity, 0])
  return least > 0 && most <= least * PULLDOWN
}

/** Whether each stated time is that of a frame. */
const agrees = (times: readonly number[], stated: readonly number[]): boolean => {
  const rounding = Math.min(ROUNDING, Math.min(...stepsOf(times)) / 4)
  let index = 0
  return stated.every((time) => {
    while (index < times.length && (times[index] ?? 0) < time - rounding) index++
    return index < times.length && Math.abs((times[index] ?? 0) - time) <= rounding
  })
}

/** The times of packets in the order in which their frames are shown, if each of as many frames has one. */
const tableOf = (packets: readonly Packet[], count: number): readonly number[] | undefined => {
  const isDecoding = packets.every(({ pts }) => pts === undefined) || packets.every(({ pts, dts }) => pts === dts)
  const times = isDecoding ? packets.flatMap(({ dts }) => dts ?? []).sort((a, b) => a - b) : []
  return times.length === count && times.length === packets.length ? times : undefined
}

/** The times of frames of which nothing is stated: at the rate that the decoder finds after a while, from 0 on. */
const steadyTimes = (guesses: readonly number[]): EstimatedTimes => {
  const half = Math.floor(guesses.length / 2)
  const rest = guesses.length - 1 - half
  const pace = rest > 0 ? ((guesses.at(-1) ?? 0) - (guesses[half] ?? 0)) / rest : 1
  return { shown: guesses.map((_, index) => index * pace), isEven: true }
}

/**
 * Finds when frames are shown whose packets do not say it: by the times at which they are decoded, by the decoder's
 * guesses, or by the rate of the stream, whichever agrees with all that is stated. `pace` is the units between two frames
 * by that rate; `least` is how many stated times must agree with it.
 */
export const estimateTimes = (
  packets: readonly Packet[],
  guesses: readonly number[],
  pace: number | undefined,
  least: number,
): EstimatedTimes => {
  const table = tableOf(packets, guesses.length)
  if (table && isEvenPace(table)) return { shown: table, isEven: true }
  if (packets.every(({ pts, dts }) => pts === undefined && dts === undefined)) return steadyTimes(guesses)
  const [first = 0] = guesses
  const key = packets.find(({ isKey }) => isKey)
  // Where not even the beginning is stated, guesses are as late as the decoder is.
  const delay = key?.pts === undefined ? first - (key?.dts ?? 0) : 0
  const since = (times: readonly number[]) => times.map((time) => time - delay)
  // Frames before the first that can be decoded are missing.
  const begin = guesses.length < packets.length ? first : -Infinity
  const sorted = (times: readonly number[]) => times.filter((time) => time >= begin).sort((a, b) => a - b)
  const stated = sorted(packets.flatMap(({ pts }) => pts ?? []))
  if (isEvenPace(guesses) && agrees(guesses, stated)) return { shown: since(guesses), isEven: true }
  for (const start of new Set([stated[0] ?? first, first])) {
    if (pace === undefined) break
    const counted = guesses.map((_, index) => start + index * pace)
    const decoded = packets.flatMap(({ dts }) => (dts === undefined || dts < start ? [] : dts))
    const evidence = sorted([...stated, ...decoded])
    if (evidence.length >= least && agrees(counted, evidence)) return { shown: since(counted), isEven: true }
  }
  let last = -Infinity
  const mended = guesses.map((guess) => {
    last = guess > last ? guess : last + (pace ?? 1)
    return last
  })
  return { shown: since(mended), isEven: false }
}
