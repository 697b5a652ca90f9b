import { expect } from 'vitest'
import { scratch, vidInProcess } from './vid.ts'

/** A still as the command reports it. */
export interface Still {
  readonly path: string
  readonly frame: number
}

/** Takes three stills of an entry of a folder, spread over its length. */
export const threeStills = async (folder: string, entry: string, ...flags: string[]): Promise<Still[]> => {
  const words = ['-c', `${entry}.html`, '--frames', '3', '-o', await scratch(), '--json']
  const run = await vidInProcess(['snapshot', folder, ...words, ...flags])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const { snapshots } = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as { snapshots: Still[] }
  return snapshots
}
