import { natives } from '../realm/natives.ts'
import type { RasterDone, RasterJob } from './raster-jobs.ts'

/** The script of the worker. */
declare const __VID_RASTER__: string

/** Sends a job to the worker; answers come in the order of the jobs. */
export type SendJob = (job: RasterJob, transfer: Transferable[]) => Promise<RasterDone>

/** Starts the worker; throws when a policy of the page forbids workers. */
export const startRasterWorker = (): SendJob => {
  const source = new natives.Blob([__VID_RASTER__], { type: 'text/javascript' })
  const worker = new natives.Worker(natives.createObjectURL.call(URL, source))
  const waiting: ((done: RasterDone) => void)[] = []
  worker.onmessage = ({ data }: MessageEvent<RasterDone>) => waiting.shift()?.(data)
  worker.onerror = ({ message }) => {
    const problem = `the worker failed: ${message || 'its script was refused'}`
    for (const answer of waiting.splice(0)) answer({ problem })
  }
  return (job, transfer) =>
    new Promise((resolve) => {
      waiting.push(resolve)
      natives.postToWorker.call(worker, job, transfer)
    })
}
