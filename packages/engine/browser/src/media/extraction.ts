import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExtractJob, frameIndexAt, isSourceFault, type MediaProcess, startExtraction } from '@vid/ffmpeg'
import { describeCause } from '@vid/protocol'

/** Time stamp in the name of an extracted frame; undefined for other files. */
export const tickOf = (name: string): number | undefined => {
  const [, tick] = /^(-?\d+)\.(?:jpg|png)$/.exec(name) ?? []
  return tick === undefined ? undefined : Number(tick)
}

/** The last of `ticks` that is at most `tick`, with a tolerance of one tick for rounding. */
export const lastUntil = (ticks: Iterable<number>, tick: number): number | undefined => {
  let latest: number | undefined
  for (const candidate of ticks)
    if (candidate <= tick + 1 && (latest === undefined || candidate > latest)) latest = candidate
  return latest
}

/**
 * Extracts frames of a source; returns ffmpeg's message when it is damaged, and fails when the machine is at fault.
 * `onStart` gets the process, so that its errors can be read before it ends.
 */
export const runExtraction = async (
  job: ExtractJob,
  onStart: (child: MediaProcess) => void = () => {},
): Promise<string | undefined> => {
  const child = await startExtraction(job)
  onStart(child)
  try {
    await child.succeeded()
    return undefined
  } catch (thrown) {
    job.signal.throwIfAborted()
    if (!isSourceFault(thrown)) throw thrown
    return describeCause(thrown)
  }
}

/**
 * Extracts the replacement of an unreadable first frame into the job's folder: the last readable frame before it, or
 * else the first after it. Returns its timestamp; undefined if no frame can be read.
 */
export const extractNearest = async (job: ExtractJob): Promise<number | undefined> => {
  const { times } = await job.source.frameTimes(job.signal)
  const first = frameIndexAt(times, job.fromTick + 0.5)
  const folder = join(job.folder, 'nearest')
  await mkdir(folder)
  for (let span = 1; ; span *= 2) {
    const from = Math.max(0, first - span)
    const selection = { fromTick: Math.round(times[from] ?? 0), count: Math.max(1, first - from), stride: 1 }
    await runExtraction({ ...job, ...selection, folder })
    const ticks = (await readdir(folder)).flatMap((name) => tickOf(name) ?? [])
    const nearest = lastUntil(ticks, job.fromTick) ?? ticks.sort((a, b) => a - b)[0]
    if (nearest === undefined && from > 0) continue
    const name = `${nearest}.${job.frameFormat}`
    if (nearest !== undefined) await rename(join(folder, name), join(job.folder, name))
    return nearest
  }
}
